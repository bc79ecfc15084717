import { useNavigate, useParams } from '@tanstack/react-router';
import type { Fields } from '../../session/operations';
import type { Webhook } from '../../session/records';
import { useAnswer, useChange, useMay } from '../../session/use-session';
import { text } from '../../text/en';
import { developers as words } from '../../text/en/app/developers';
import { optionsOf } from '../../ui/format';
import { FormButton, ActButton, ConfirmButton } from '../../ui/ask';
import { DialogButton } from '../../ui/dialog';
import { Field, Ticks } from '../../ui/form';
import { Loaded, Page, Problem, Section } from '../../ui/page';
import { Filter, useFilters } from '../../ui/filters';
import { List } from '../../ui/list';
import { Table } from '../../ui/table';
import { Badge, Copyable, Facts, When } from '../../ui/values';
import { askedKinds, kindsOf } from './event-kinds';
import { Json } from './events';

const statuses = ['pending', 'retrying', 'succeeded', 'dead_letter', 'cancelled'] as const;

export default function WebhookPage() {
  const { webhookId = '' } = useParams({ strict: false }) as Record<string, string>;
  const webhook = useAnswer('webhooks.get', { id: webhookId });
  return (
    <Page
      title={words.webhook}
      name={webhook.data?.url}
      trail={[['/developers', words.webhooks, 'webhooks']]}
      beside={webhook.data && <Badge status={webhook.data.active ? 'active' : 'paused'} />}
    >
      <Loaded query={webhook}>
        {(one) => (
          <>
            <Facts
              of={[
                [words.url, <code key="url">{one.url}</code>],
                [words.events, one.events.join(', ')],
                [text.reason, one.disabledReason],
              ]}
            />
            <Act of={one} />
            <Deliveries webhookId={webhookId} />
          </>
        )}
      </Loaded>
    </Page>
  );
}

function Act({ of: { id, active, url, events } }: { of: Webhook }) {
  const ping = useChange('webhooks.ping');
  const rotate = useChange('webhooks.rotateSecret');
  const retryDead = useChange('webhooks.retryDeadLetters');
  const edit = useChange('webhooks.update');
  const navigate = useNavigate();
  if (!useMay('admin')) return null;
  return (
    <div className="selected">
      <button type="button" onClick={() => ping.mutate({ id })}>
        {words.ping}
      </button>
      <FormButton label={words.rotate} send={() => rotate.mutateAsync({ id })}>
        <p>{words.rotateHint}</p>
      </FormButton>
      <button type="button" onClick={() => retryDead.mutate({ id })}>
        {words.retryDead}
      </button>
      <ActButton
        label={active ? words.pause : words.resume}
        call="webhooks.update"
        fields={{ id, active: !active }}
      />
      <FormButton
        label={words.edit}
        submit={text.save}
        send={({ url: typed, events: ticked = '' }) =>
          edit.mutateAsync({ id, url: typed, events: kindsOf(ticked) })
        }
      >
        <Field label={words.url} name="url" defaultValue={url} />
        <Ticks label={words.events} name="events" options={askedKinds} chosen={events} />
      </FormButton>
      <ConfirmButton
        label={words.remove}
        title={text.doTo(words.remove, url)}
        className="danger"
        call="webhooks.delete"
        fields={{ id }}
        onDone={() => void navigate({ to: '/developers', search: { part: 'webhooks' } as never })}
      >
        <p>{words.removeHint}</p>
      </ConfirmButton>
      <p role="status">
        {ping.data?.success === true && words.pingWell}
        {ping.data?.success === false && words.pingBad(ping.data.errorMessage ?? '')}
        {retryDead.data && words.queued(retryDead.data.queued)}
      </p>
      {rotate.data && <Copyable value={rotate.data.signingSecret} />}
      <Problem error={ping.error ?? retryDead.error} />
    </div>
  );
}

function Deliveries({ webhookId }: { webhookId: string }) {
  const asked = useFilters('webhooks.listDeliveries');
  const may = useMay('admin');
  return (
    <Section title={words.deliveries}>
      <Filter
        call="webhooks.listDeliveries"
        field="status"
        label={text.status}
        options={optionsOf(statuses)}
      />
      <List
        call="webhooks.listDeliveries"
        fields={{ id: webhookId, status: asked.status }}
        caption={words.deliveries}
        columns={[
          { title: text.created, cell: ({ createdAt }) => <When at={createdAt} /> },
          { title: words.kind, cell: ({ eventType }) => <code>{eventType}</code> },
          { title: text.status, cell: ({ status }) => <Badge status={status} /> },
          { title: words.attempts, isNumber: true, cell: ({ attempts }) => attempts },
          {
            title: words.answer,
            cell: (row) => row.errorMessage ?? row.httpStatusCode ?? text.nothing,
          },
          { title: words.next, cell: ({ nextAttemptAt }) => <When at={nextAttemptAt} /> },
          {
            title: text.actions,
            cell: ({ id, status, eventType }) => (
              <span className="inline-actions">
                <DialogButton label={words.show} title={eventType}>
                  {() => <DeliveryDetail of={{ id: webhookId, deliveryId: id }} />}
                </DialogButton>
                {may && (
                  <ActButton
                    label={words.replay}
                    call={`webhooks.${status === 'dead_letter' ? 'retry' : 'replay'}Delivery`}
                    fields={{ id: webhookId, deliveryId: id }}
                  />
                )}
              </span>
            ),
          },
        ]}
        empty={words.noDeliveries}
      />
    </Section>
  );
}

/** What was sent, what came back, and every attempt. */
function DeliveryDetail({ of }: { of: Fields<'webhooks.getDelivery'> }) {
  const detail = useAnswer('webhooks.getDelivery', of);
  return (
    <Loaded query={detail}>
      {({ payload, responseBody, attemptLog }) => (
        <>
          <h3>{words.payload}</h3>
          <Json of={payload} />
          <h3>{words.answer}</h3>
          <pre className="json" tabIndex={0}>
            {responseBody ?? text.nothing}
          </pre>
          <Table
            caption={words.attempts}
            columns={[
              { title: words.attempts, isNumber: true, cell: ({ attempt }) => attempt },
              { title: text.created, cell: ({ at }) => <When at={at} /> },
              {
                title: words.answer,
                cell: (one) => one.errorMessage ?? one.httpStatusCode ?? text.nothing,
              },
              { title: words.took, isNumber: true, cell: ({ durationMs }) => durationMs },
            ]}
            rows={attemptLog}
            rowKey={({ attempt }) => String(attempt)}
            empty={words.noDeliveries}
          />
        </>
      )}
    </Loaded>
  );
}
