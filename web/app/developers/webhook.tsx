import { useState } from 'react';
import { useNavigate, useParams } from '@tanstack/react-router';
import type { DeliveryDetailDto, DeliveryDto, Webhook } from '../../session/records';
import { useApi, useChange, useMay } from '../../session/use-session';
import { text } from '../../text/en';
import { optionsOf } from '../../ui/format';
import { FormButton, ActButton, ConfirmButton } from '../../ui/ask';
import { DialogButton } from '../../ui/dialog';
import { Field, Ticks } from '../../ui/form';
import { Loaded, Page, Problem, Section } from '../../ui/page';
import { List, Filter, Table, useListSearch } from '../../ui/table';
import { Badge, Copyable, Facts, When } from '../../ui/values';
import { eventKinds } from './event-kinds';
import { Json } from './events';

const words = text.app.developers;

const statuses = ['pending', 'retrying', 'succeeded', 'dead_letter', 'cancelled'] as const;

export default function WebhookPage() {
  const { webhookId = '' } = useParams({ strict: false }) as Record<string, string>;
  const path = `/api/v1/webhooks/${webhookId}`;
  const webhook = useApi<Webhook>(path);
  return (
    <Page title={words.webhook}>
      <Loaded query={webhook}>
        {(one) => (
          <>
            <Facts
              of={[
                [words.url, <code key="url">{one.url}</code>],
                [words.events, one.events.join(', ')],
                [text.status, <Badge key="s" status={one.active ? 'active' : 'paused'} />],
                [text.reason, one.disabledReason],
              ]}
            />
            <Act path={path} of={one} />
            <Deliveries path={path} />
          </>
        )}
      </Loaded>
    </Page>
  );
}

interface Acted {
  success?: boolean;
  errorMessage?: string | null;
  signingSecret?: string;
  queued?: number;
}

function Act({ path, of: { active, url, events } }: { path: string; of: Webhook }) {
  const [said, setSaid] = useState<Acted>();
  const change = useChange<Acted>(setSaid);
  const edit = useChange();
  const navigate = useNavigate();
  if (!useMay('admin')) return null;
  const post = (action: string) =>
    change.mutateAsync({ path: `${path}/${action}`, method: 'POST', body: {} });
  return (
    <div className="selected">
      <button type="button" onClick={() => void post('test-ping').catch(() => undefined)}>
        {words.ping}
      </button>
      <FormButton label={words.rotate} send={() => post('rotate-secret')}>
        <p>{words.rotateHint}</p>
      </FormButton>
      <button
        type="button"
        onClick={() => void post('deliveries/retry-dead-letters').catch(() => undefined)}
      >
        {words.retryDead}
      </button>
      <ActButton
        label={active ? words.pause : words.resume}
        call={{ path, method: 'PATCH', body: { active: !active } }}
      />
      <FormButton
        label={words.edit}
        submit={text.save}
        send={({ url: typed, events: ticked = '' }) =>
          edit.mutateAsync({
            path,
            method: 'PATCH',
            body: { url: typed, events: ticked.split(',').filter(Boolean) },
          })
        }
      >
        <Field label={words.url} name="url" defaultValue={url} />
        <Ticks label={words.events} name="events" options={eventKinds} chosen={events} />
      </FormButton>
      <ConfirmButton
        label={words.remove}
        className="danger"
        call={{ path, method: 'DELETE' }}
        onDone={() => void navigate({ to: '/developers' })}
      >
        <p>{words.removeHint}</p>
      </ConfirmButton>
      <p role="status">
        {said?.success === true && words.pingWell}
        {said?.success === false && words.pingBad(said.errorMessage ?? '')}
        {said?.queued !== undefined && words.queued(said.queued)}
      </p>
      {said?.signingSecret && <Copyable value={said.signingSecret} />}
      <Problem error={change.error} />
    </div>
  );
}

function Deliveries({ path }: { path: string }) {
  const { search } = useListSearch();
  const may = useMay('admin');
  return (
    <Section title={words.deliveries}>
      <Filter name="status" label={text.status} options={optionsOf(statuses)} />
      <List<DeliveryDto>
        path={`${path}/deliveries`}
        query={{ status: search['status'] }}
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
                  {() => <DeliveryDetail path={`${path}/deliveries/${id}`} />}
                </DialogButton>
                {may && (
                  <ActButton
                    label={words.replay}
                    call={{
                      path: `${path}/deliveries/${id}/${status === 'dead_letter' ? 'retry' : 'replay'}`,
                      method: 'POST',
                      body: {},
                    }}
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
function DeliveryDetail({ path }: { path: string }) {
  const detail = useApi<DeliveryDetailDto>(path);
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
