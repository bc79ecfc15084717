import { Link } from '@tanstack/react-router';
import { useChange, useMay } from '../../session/use-session';
import { text } from '../../text/en';
import { payouts as words } from '../../text/en/app/payouts';
import { ConfirmButton, FormButton } from '../../ui/ask';
import { formatMoney } from '../../ui/format';
import { Field } from '../../ui/plain-form';
import { Section } from '../../ui/page';
import { Table, type Column } from '../../ui/table';
import { amountColumn, Avatar, Badge, When } from '../../ui/values';
import type { Payout, PayoutItemDto } from '../../session/records';

/** Who is paid, and what became of it. */
export function Items({ of: { id, items, programId } }: { of: Payout }) {
  const may = useMay('admin');
  const columns: Column<PayoutItemDto>[] = [
    {
      title: text.partner,
      cell: ({ participantId, partnerName }) => (
        <span className="who" title={partnerName}>
          <Avatar name={partnerName} />
          <Link to={`/partners/${programId}/${participantId}`}>{partnerName}</Link>
        </span>
      ),
    },
    { title: words.method, cell: ({ method }) => method?.label ?? text.nothing },
    {
      title: text.status,
      cell: (item) => <State of={item} />,
    },
    ...told.filter(({ isKnown }) => items.some(isKnown)),
    amountColumn,
    ...(may
      ? [{ title: text.actions, cell: (item: PayoutItemDto) => <Mark payoutId={id} item={item} /> }]
      : []),
  ];
  return (
    <Section title={words.items}>
      <Table
        caption={words.items}
        columns={columns}
        rows={items}
        rowKey={({ id }) => id}
        empty={text.nothing}
      />
    </Section>
  );
}

/** Facts that only some items have: a column that all would leave empty is left out. */
const told: readonly (Column<PayoutItemDto> & { isKnown: (item: PayoutItemDto) => unknown })[] = [
  {
    title: text.reason,
    isKnown: ({ reason }) => reason,
    cell: ({ reason }) => reason ?? text.nothing,
  },
  {
    title: words.exportedAt,
    isKnown: ({ exportedAt }) => exportedAt,
    cell: ({ exportedAt }) => <When at={exportedAt} />,
  },
  {
    title: words.paidAt,
    isKnown: ({ paidAt }) => paidAt,
    cell: ({ paidAt }) => <When at={paidAt} />,
  },
  {
    title: words.transaction,
    isKnown: ({ transactionId }) => transactionId,
    cell: ({ transactionId }) => transactionId ?? text.nothing,
  },
];

const moves: Record<PayoutItemDto['status'], readonly (keyof typeof words.marks)[]> = {
  ready: ['paid', 'failed'],
  sending: [],
  paid: ['returned'],
  failed: ['paid'],
  returned: ['paid'],
  cancelled: ['paid'],
};

/** The state of an item, with what it waits for, and why somebody has to check it. */
function State({ of: { status, attention, claimUntil } }: { of: PayoutItemDto }) {
  return (
    <>
      {status === 'sending' ? (
        <span className="badge waiting">{words.sending.onItsWay}</span>
      ) : (
        <Badge status={status} />
      )}
      {claimUntil && (
        <span className="hint">
          {words.claimUntil} <When at={claimUntil} />
        </span>
      )}
      {attention && (
        <span className="hint bad">
          {words.attention}: {words.attentions[attention.reason]}
        </span>
      )}
    </>
  );
}

const ofBatches: readonly string[] = ['restored', 'unanswered', 'differs', 'vanished'];

/** The statuses that may be given to an item that somebody has checked. */
function movesOf({ status, attention }: PayoutItemDto): readonly (keyof typeof words.marks)[] {
  if (attention && status === 'sending') return ['paid', 'failed'];
  if (!attention || status === 'sending' || status === 'cancelled') return moves[status];
  // The status of now is offered as well; for a ready item only where a restore, or its batch, asked for the check.
  const stays = status !== 'ready' || ofBatches.includes(attention.reason);
  return stays ? [status, ...moves[status]] : moves[status];
}

function Mark({ payoutId, item }: { payoutId: string; item: PayoutItemDto }) {
  const mark = useChange('payouts.markItem');
  const fields = { id: payoutId, itemId: item.id };
  const titled = (verb: string): string =>
    words.markTitle(verb, item.partnerName, formatMoney(item.amountCents, item.currency));
  return (
    <span className="inline-actions">
      {item.claimUntil && (
        <ConfirmButton
          label={words.cancelUnclaimed}
          title={titled(words.cancelUnclaimed)}
          call="payouts.cancelUnclaimedItem"
          fields={fields}
        >
          <p>{words.cancelUnclaimedHint}</p>
        </ConfirmButton>
      )}
      {movesOf(item).map((status) => (
        <FormButton
          key={status}
          label={words.marks[status]}
          title={titled(words.marks[status])}
          className={status === 'paid' ? undefined : 'danger'}
          send={({ transactionId, reason }) =>
            mark.mutateAsync({
              ...{ ...fields, status },
              ...(transactionId && { transactionId }),
              ...(reason && { reason }),
              ...(item.attention && { confirmChecked: true }),
            })
          }
        >
          {item.attention && <p>{words.checked}</p>}
          <Field label={words.transaction} name="transactionId" />
          <Field label={text.reason} name="reason" />
        </FormButton>
      ))}
    </span>
  );
}
