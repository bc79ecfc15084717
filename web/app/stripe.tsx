import { useApi, useChange } from '../session/use-session';
import { text } from '../text/en';
import { DialogButton } from '../ui/dialog';
import { Field, Form } from '../ui/form';
import { Problem, Section } from '../ui/page';
import { Pager, Table, useListSearch, type Paged } from '../ui/table';
import { Badge, Copyable, Facts, When } from '../ui/values';

const words = text.app.developers;

interface StripeConnection {
  status: string;
  url?: string;
  lastEventAt?: string | null;
  lastError?: string | null;
}

export function Stripe() {
  const path = '/api/v1/workspace/stripe';
  const connection = useApi<StripeConnection>(path);
  const change = useChange();
  return (
    <Section title={words.stripe}>
      {connection.data && (
        <Facts
          of={[
            [text.status, <Badge key="status" status={connection.data.status} />],
            [
              words.endpoint,
              connection.data.url && <Copyable key="url" value={connection.data.url} />,
            ],
            [words.lastEvent, <When key="last" at={connection.data.lastEventAt} />],
            [words.lastError, connection.data.lastError],
          ]}
        />
      )}
      <DialogButton label={words.connectStripe}>
        {(close) => (
          <Form
            submit={text.save}
            onSubmit={async ({ restrictedKey, webhookSecret }) => {
              const body = {
                ...(restrictedKey && { restrictedKey }),
                ...(webhookSecret && { webhookSecret }),
              };
              await change.mutateAsync({ path, method: 'PUT', body });
              close();
            }}
          >
            {(problem) => (
              <>
                <Field
                  label={words.restrictedKey}
                  name="restrictedKey"
                  autoComplete="off"
                  problem={problem('restrictedKey')}
                />
                <Field
                  label={words.webhookSecret}
                  name="webhookSecret"
                  autoComplete="off"
                  problem={problem('webhookSecret')}
                />
              </>
            )}
          </Form>
        )}
      </DialogButton>
    </Section>
  );
}

interface StripeEvent {
  id: string;
  type: string;
  status: string;
  error: string | null;
  receivedAt: string;
}

export function StripeEvents() {
  const { search } = useListSearch();
  const path = '/api/v1/workspace/stripe/events';
  const events = useApi<Paged<StripeEvent>>(path, { page: search.page });
  const change = useChange();
  if (!events.data?.data.length) return null;
  return (
    <Section title={words.stripeEvents}>
      <Problem error={change.error} />
      <Table
        caption={words.stripeEvents}
        columns={[
          { title: text.created, cell: ({ receivedAt }) => <When at={receivedAt} /> },
          { title: words.kind, cell: ({ type }) => <code>{type}</code> },
          { title: text.status, cell: ({ status }) => <Badge status={status} /> },
          { title: words.lastError, cell: ({ error }) => error ?? text.nothing },
          {
            title: text.actions,
            cell: ({ id }) => (
              <button
                type="button"
                onClick={() =>
                  change.mutate({ path: `${path}/${id}/replay`, method: 'POST', body: {} })
                }
              >
                {words.replay}
              </button>
            ),
          },
        ]}
        rows={events.data.data}
        rowKey={({ id }) => id}
        empty={text.nothing}
      />
      <Pager of={events.data} />
    </Section>
  );
}
