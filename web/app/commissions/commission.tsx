import { Link, useParams } from '@tanstack/react-router';
import { useAnswer, useChange, useMay, useMode } from '../../session/use-session';
import { text } from '../../text/en';
import { commissions as words } from '../../text/en/app/commissions';
import { payouts as payoutsWords } from '../../text/en/app/payouts';
import { ActButton, ReasonButton } from '../../ui/ask';
import { formatDay, formatMoney, inWords } from '../../ui/format';
import { Loaded, Page, Section } from '../../ui/page';
import { Table } from '../../ui/table';
import { amountColumn, Badge, Facts, Money, When } from '../../ui/values';
import type { CommissionDetail } from '../../session/records';

export default function CommissionPage() {
  const params = useParams({ strict: false }) as Record<string, string>;
  const { programId = '', commissionId = '' } = params;
  const commission = useAnswer('commissions.get', { programId, commissionId });
  return (
    <Page
      title={words.one}
      name={commission.data && nameOf(commission.data)}
      trail={[['/commissions', words.title]]}
      beside={commission.data && <Badge status={commission.data.status} />}
    >
      <Loaded query={commission}>
        {(one) => (
          <>
            <Decide of={one} />
            <Facts of={factsOf(one)} />
            <History of={one} />
            <Ledger of={one} />
          </>
        )}
      </Loaded>
    </Page>
  );
}

const nameOf = ({ amountCents, currency, partnerName }: CommissionDetail): string =>
  words.named(formatMoney(amountCents, currency), partnerName);

function factsOf(one: CommissionDetail) {
  const { currency, programId, participantId, conversionId } = one;
  return [
    [words.kind, inWords(one.commissionType)],
    [text.program, one.programName],
    [text.amount, <Money key="amount" cents={one.amountCents} currency={currency} />],
    [
      words.ofSale,
      one.commissionType !== 'bonus' && one.commissionType !== 'adjustment' && (
        <Money key="sale" cents={one.conversionAmountCents} currency={currency} />
      ),
    ],
    [
      words.refunded,
      one.refundedAmountCents > 0 && (
        <Money key="refunded" cents={one.refundedAmountCents} currency={currency} />
      ),
    ],
    [
      text.partner,
      <Link key="partner" to={`/partners/${programId}/${participantId}`}>
        {one.partnerName}
      </Link>,
    ],
    [
      words.sale,
      conversionId && (
        <Link key="conversion" to={`/sales/${conversionId}`}>
          {one.externalTransactionId ?? conversionId}
        </Link>
      ),
    ],
    [words.holdUntil, one.holdUntil && <When key="hold" at={one.holdUntil} />],
    [
      words.reviewReasons,
      one.reviewReasons.length > 0 && (
        <span key="review">
          {one.reviewReasons.map((code) => words.reviews[code]).join(' ')}{' '}
          {conversionId && <Link to={`/sales/${conversionId}`}>{words.whyOfSale}</Link>}
        </span>
      ),
    ],
    [words.bonus, one.commissionType === 'bonus' ? one.terms?.name : null],
    [words.adjustmentReason, one.adjustmentReason],
    [words.overrideReason, one.overrideReason],
    [words.rejectionReason, one.rejectionReason],
    [
      words.payout,
      one.payoutId && (
        <Link key="payout" to={`/payouts/${one.payoutId}`}>
          {payoutsWords.one}
        </Link>
      ),
    ],
  ] as const;
}

function Decide({ of }: { of: CommissionDetail }) {
  const override = useChange('commissions.approveOverride');
  const reject = useChange('commissions.reject');
  const mode = useMode();
  const may = useMay('member');
  if (!may || !['pending', 'approved'].includes(of.status)) return null;
  const fields = { programId: of.programId, commissionId: of.id };
  const isPending = of.status === 'pending';
  return (
    <>
      {isPending && of.holdActive && of.needsReview && (
        <p className="notice-box" role="note">
          {words.waitsForHold(formatDay(of.holdUntil ?? ''))}
        </p>
      )}
      <div className="selected">
        {isPending && !of.holdActive && (
          <ActButton
            label={words.approve}
            className="primary"
            call="commissions.approve"
            fields={fields}
          />
        )}
        {isPending && of.holdActive && !of.needsReview && (
          <ReasonButton
            label={words.override}
            title={text.doTo(words.override, nameOf(of))}
            hint={words.overrideHint}
            send={(reason) => override.mutateAsync({ ...fields, reason })}
          />
        )}
        {isPending && of.holdActive && mode === 'test' && (
          <ActButton label={words.elapse} call="commissions.elapseHold" fields={fields} />
        )}
        <ReasonButton
          label={words.reject}
          title={text.doTo(words.reject, nameOf(of))}
          className="danger"
          send={(reason) => reject.mutateAsync({ ...fields, reason })}
        />
      </div>
    </>
  );
}

function History({ of: { history } }: { of: CommissionDetail }) {
  const nameOfActor = useActorNames(history.map(({ actor }) => actor));
  return (
    <Section title={words.history}>
      <ol className="story">
        {history.map(({ to, trigger, actor, reason, at }) => (
          <li key={`${at}${trigger}`}>
            <Badge status={to} /> {inWords(trigger)}{' '}
            <span className="fine">{nameOfActor(actor)}</span> <When at={at} />
            {reason && (
              <>
                {' '}
                <q>{reason}</q>
              </>
            )}
          </li>
        ))}
      </ol>
    </Section>
  );
}

type Actor = CommissionDetail['history'][number]['actor'];

/** Members by their names, where they still are members; all others by what they are. */
function useActorNames(actors: readonly Actor[]): (actor: Actor) => string {
  const isAsked = actors.some(({ type }) => type === 'member');
  const members = useAnswer('members.list', isAsked && { limit: 100 });
  return ({ type, id }) =>
    members.data?.data.find((one) => type === 'member' && one.id === id)?.name ?? inWords(type);
}

function Ledger({ of: { ledger } }: { of: CommissionDetail }) {
  return (
    <Section title={words.ledger}>
      <Table
        caption={words.ledger}
        columns={[
          { title: text.created, cell: ({ createdAt }) => <When at={createdAt} /> },
          { title: words.entry, cell: ({ type }) => inWords(type) },
          amountColumn,
        ]}
        rows={ledger}
        rowKey={({ id }) => id}
        empty={text.nothing}
      />
    </Section>
  );
}
