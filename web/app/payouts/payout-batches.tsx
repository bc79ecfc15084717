import type { Payout, PayoutBatchDto } from '../../session/records';
import { useAnswer, useChange, useMay } from '../../session/use-session';
import { text } from '../../text/en';
import { payouts as payoutsWords } from '../../text/en/app/payouts';
import { ActButton, FormButton } from '../../ui/ask';
import { formatMoney } from '../../ui/format';
import { Choice } from '../../ui/form';
import { Field } from '../../ui/plain-form';
import { Section } from '../../ui/page';
import { Table } from '../../ui/table';
import { Badge, When } from '../../ui/values';

const words = payoutsWords.sending;

/** The batches of a payout that were sent to PayPal, and what it says of them. */
export function Batches({ of: { id: payoutId, status } }: { of: Payout }) {
  const may = useMay('admin');
  const batches = useAnswer('payouts.listBatches', { id: payoutId, limit: 100 }, () =>
    status === 'processing' ? 15_000 : false,
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
                  cell: (row: PayoutBatchDto) => <Actions payoutId={payoutId} of={row} />,
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

interface ActionsProps {
  payoutId: string;
  of: PayoutBatchDto;
}

function Actions({ payoutId, of: { id: batchId, status, providerBatchId } }: ActionsProps) {
  const resolve = useChange('payouts.resolveBatch');
  const batch = { id: payoutId, batchId };
  return (
    <span className="inline-actions">
      {providerBatchId !== null && (
        <ActButton label={words.ask} call="payouts.askBatch" fields={batch} />
      )}
      {status === 'attention' && (
        <FormButton
          label={words.resolve}
          send={({ what, providerBatchId: id, code = '' }) =>
            resolve.mutateAsync({
              ...{ ...batch, code },
              ...(what === 'found' ? { providerBatchId: id } : { nothingSent: true }),
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
