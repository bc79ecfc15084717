import type { Paged } from '../../ui/table';
import type { PayoutBatchDto } from '../../session/records';
import { useApi, useChange, useMay } from '../../session/use-session';
import { text } from '../../text/en';
import { ActButton, FormButton } from '../../ui/ask';
import { formatMoney } from '../../ui/format';
import { Choice } from '../../ui/form';
import { Field } from '../../ui/plain-form';
import { Section } from '../../ui/page';
import { Table } from '../../ui/table';
import { Badge, When } from '../../ui/values';

const words = text.app.payouts.sending;

/** What PayPal was told of a payout, and what it says of it. */
export function Batches({ path, isOpen }: { path: string; isOpen: boolean }) {
  const may = useMay('admin');
  const batches = useApi<Paged<PayoutBatchDto>>(`${path}/batches`, { limit: 100 }, () =>
    isOpen ? 15_000 : false,
  );
  const rows = batches.data?.data ?? [];
  if (rows.length === 0) return null;
  return (
    <Section title={words.batches}>
      <Table
        caption={words.batches}
        columns={[
          { title: text.created, cell: ({ firstTryAt }) => <When at={firstTryAt} /> },
          { title: text.status, cell: ({ status }) => <Badge status={status} /> },
          {
            title: words.providerId,
            cell: (row) => <code>{row.providerBatchId ?? text.nothing}</code>,
          },
          {
            title: words.outcomes,
            cell: ({ outcomes, currency }) =>
              outcomes
                .map(({ outcome, items, amountCents }) =>
                  words.outcome(
                    words.outcomeWords[outcome],
                    items,
                    formatMoney(amountCents, currency),
                  ),
                )
                .join(', '),
          },
          {
            title: words.lastAnswer,
            cell: ({ lastAnswer }) => lastAnswer?.name ?? lastAnswer?.httpStatus ?? text.nothing,
          },
          ...(may
            ? [
                {
                  title: text.actions,
                  cell: (row: PayoutBatchDto) => (
                    <Actions path={`${path}/batches/${row.id}`} of={row} />
                  ),
                },
              ]
            : []),
        ]}
        rows={rows}
        rowKey={({ id }) => id}
        empty={text.nothing}
      />
    </Section>
  );
}

function Actions({ path, of: { status, providerBatchId } }: { path: string; of: PayoutBatchDto }) {
  const change = useChange();
  return (
    <span className="inline-actions">
      {providerBatchId !== null && (
        <ActButton label={words.ask} call={{ path: `${path}/ask`, method: 'POST', body: {} }} />
      )}
      {status === 'attention' && (
        <FormButton
          label={words.resolve}
          send={({ what, providerBatchId: id, code }) =>
            change.mutateAsync({
              path: `${path}/resolve`,
              method: 'POST',
              body: {
                ...(what === 'found' ? { providerBatchId: id } : { nothingSent: true }),
                code,
              },
            })
          }
        >
          <p>{words.resolveHint}</p>
          <Choice
            label={words.what}
            name="what"
            options={[
              ['found', words.found],
              ['nothing', words.nothingSent],
            ]}
          />
          <Field label={words.providerId} name="providerBatchId" />
          <Field label={words.code} name="code" inputMode="numeric" autoComplete="one-time-code" />
        </FormButton>
      )}
    </span>
  );
}
