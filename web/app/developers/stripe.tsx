import type { StripeConnectionDto, StripeEventDto } from '../../session/records';
import { useApi, useChange, useMay } from '../../session/use-session';
import { text } from '../../text/en';
import { ActButton, ConfirmButton } from '../../ui/ask';
import { DialogButton } from '../../ui/dialog';
import { Field, Form } from '../../ui/form';
import { inWords } from '../../ui/format';
import { Loaded, Section } from '../../ui/page';
import { Filter, Pager, Table, useListSearch, type Paged } from '../../ui/table';
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
  const events = useApi<Paged<StripeEventDto>>(path, {
    page: search['stripePage'],
    status: search['stripe'],
  });
  const may = useMay('admin');
  return (
    <Section title={words.stripeEvents}>
      <div className="filters">
        <Filter
          name="stripe"
          label={text.status}
          options={statuses.map((one) => [one, inWords(one)] as const)}
        />
      </div>
      <Loaded query={events}>
        {(found) => (
          <>
            <Table
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
              rows={found.data}
              rowKey={({ id }) => id}
              empty={words.noStripeEvents}
            />
            <Pager of={found} name="stripePage" />
          </>
        )}
      </Loaded>
    </Section>
  );
}
