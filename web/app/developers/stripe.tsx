import type { StripeConnectionDto, StripeEventDto } from '../../session/records';
import { useApi, useChange, useMay } from '../../session/use-session';
import { text } from '../../text/en';
import { optionsOf } from '../../ui/format';
import { FormButton, ActButton, ConfirmButton } from '../../ui/ask';
import { Field } from '../../ui/plain-form';
import { Loaded, Section } from '../../ui/page';
import { List, Filter, useListSearch } from '../../ui/table';
import { Badge, Copyable, Facts, When } from '../../ui/values';

const words = text.app.developers;
const statuses = ['received', 'retrying', 'processed', 'ignored', 'waiting', 'failed'] as const;

export function Stripe() {
  const path = '/api/v1/workspace/stripe';
  const connection = useApi<StripeConnectionDto>(path);
  const may = useMay('admin');
  return (
    <Section title={words.stripe}>
      <Loaded query={connection}>
        {(one) => (
          <>
            <Facts
              of={[
                [text.status, <Badge key="status" status={one.status} />],
                [words.endpoint, one.url && <Copyable key="url" value={one.url} />],
                [words.lastEvent, <When key="last" at={one.lastEventAt} />],
                [words.lastError, one.lastError],
                [words.missingKinds, one.missingKinds?.join(', ') || null],
              ]}
            />
            {may && <Connect path={path} isConnected={one.status !== 'not_connected'} />}
          </>
        )}
      </Loaded>
    </Section>
  );
}

function Connect({ path, isConnected }: { path: string; isConnected: boolean }) {
  const change = useChange();
  return (
    <div className="inline-actions">
      <FormButton
        label={words.connectStripe}
        submit={text.save}
        send={({ restrictedKey, webhookSecret }) =>
          change.mutateAsync({
            path,
            method: 'PUT',
            body: {
              ...(restrictedKey && { restrictedKey }),
              ...(webhookSecret && { webhookSecret }),
            },
          })
        }
      >
        <Field label={words.restrictedKey} name="restrictedKey" autoComplete="off" />
        <Field label={words.webhookSecret} name="webhookSecret" autoComplete="off" />
      </FormButton>
      {isConnected && (
        <ConfirmButton
          label={words.disconnect}
          className="danger"
          call={{ path, method: 'DELETE' }}
        >
          <p>{words.disconnectHint}</p>
        </ConfirmButton>
      )}
    </div>
  );
}

export function StripeEvents() {
  const { search } = useListSearch();
  const path = '/api/v1/workspace/stripe/events';
  const may = useMay('admin');
  return (
    <Section title={words.stripeEvents}>
      <div className="filters">
        <Filter name="stripe" label={text.status} options={optionsOf(statuses)} />
      </div>
      <List<StripeEventDto>
        path={path}
        query={{ status: search['stripe'] }}
        name="stripePage"
        caption={words.stripeEvents}
        columns={[
          { title: text.created, cell: ({ receivedAt }) => <When at={receivedAt} /> },
          { title: words.kind, cell: ({ type }) => <code>{type}</code> },
          { title: text.status, cell: ({ status }) => <Badge status={status} /> },
          { title: words.lastError, cell: ({ error }) => error ?? text.nothing },
          {
            title: text.actions,
            cell: ({ id }) =>
              may && (
                <ActButton
                  label={words.replay}
                  call={{ path: `${path}/${id}/replay`, method: 'POST', body: {} }}
                />
              ),
          },
        ]}
        empty={words.noStripeEvents}
      />
    </Section>
  );
}
