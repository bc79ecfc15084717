import { Link, useParams } from '@tanstack/react-router';
import { useApi, useChange, useMay, useMode } from '../../session/use-session';
import { text } from '../../text/en';
import { ActButton, ReasonButton } from '../../ui/ask';
import { inWords } from '../../ui/format';
import { Loaded, Page, Section } from '../../ui/page';
import { Table } from '../../ui/table';
import { amountColumn, Badge, Facts, Money, When } from '../../ui/values';
import type { CommissionDetail } from '../../session/records';

const words = text.app.commissions;

export default function CommissionPage() {
  const { programId, commissionId } = useParams({ strict: false }) as Record<string, string>;
  const path = `/api/v1/programs/${programId}/commissions/${commissionId}`;
  const commission = useApi<CommissionDetail>(path);
  return (
    <Page title={words.one} trail={[['/commissions', words.title]]}>
      <Loaded query={commission}>
        {(one) => (
          <>
            <Decide path={path} of={one} />
            <Facts of={factsOf(one)} />
            <History of={one} />
            <Ledger of={one} />
          </>
        )}
      </Loaded>
    </Page>
  );
}

function factsOf(one: CommissionDetail) {
  const { currency, programId, participantId, conversionId } = one;
  return [
    [text.status, <Badge key="status" status={one.status} />],
    [words.kind, inWords(one.commissionType)],
    [text.program, one.programName],
    [text.amount, <Money key="amount" cents={one.amountCents} currency={currency} />],
    [
      words.ofSale,
      one.commissionType !== 'bonus' && (
        <Money key="sale" cents={one.conversionAmountCents} currency={currency} />
      ),
    ],
    [words.refunded, <Money key="refunded" cents={one.refundedAmountCents} currency={currency} />],
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
    [words.holdUntil, <When key="hold" at={one.holdUntil} />],
    [words.reviewReasons, one.reviewReasons.map((code) => words.reviews[code]).join(' ') || null],
    [words.bonus, one.commissionType === 'bonus' ? one.terms?.name : null],
    [words.adjustmentReason, one.adjustmentReason],
    [words.overrideReason, one.overrideReason],
    [words.rejectionReason, one.rejectionReason],
    [
      words.payout,
      one.payoutId && (
        <Link key="payout" to={`/payouts/${one.payoutId}`}>
          {text.app.payouts.one}
        </Link>
      ),
    ],
  ] as const;
}

function Decide({ path, of }: { path: string; of: CommissionDetail }) {
  const change = useChange();
  const mode = useMode();
  const may = useMay('member');
  if (!may || !['pending', 'approved'].includes(of.status)) return null;
  const decide = (action: string, reason: string) =>
    change.mutateAsync({ path: `${path}/${action}`, method: 'PATCH', body: { reason } });
  const isPending = of.status === 'pending';
  return (
    <div className="selected">
      {isPending && !of.holdActive && (
        <ActButton
          label={words.approve}
          className="primary"
          call={{ path: `${path}/approve`, method: 'PATCH' }}
        />
      )}
      {isPending && of.holdActive && (
        <ReasonButton
          label={words.override}
          send={(reason) => decide('approve-override', reason)}
        />
      )}
      {isPending && of.holdActive && mode === 'test' && (
        <ActButton label={words.elapse} call={{ path: `${path}/elapse-hold`, method: 'POST' }} />
      )}
      <ReasonButton label={words.reject} send={(reason) => decide('reject', reason)} />
    </div>
  );
}

function History({ of: { history } }: { of: CommissionDetail }) {
  return (
    <Section title={words.history}>
      <ol className="story">
        {history.map(({ to, trigger, actor, reason, at }) => (
          <li key={`${at}${trigger}`}>
            <Badge status={to} /> {inWords(trigger)}{' '}
            <span className="fine">{inWords(actor.type)}</span>
            {reason && <q>{reason}</q>} <When at={at} />
          </li>
        ))}
      </ol>
    </Section>
  );
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
