import { Link, useParams } from '@tanstack/react-router';
import { useApi, useChange, useMay } from '../../session/use-session';
import { text } from '../../text/en';
import { DialogButton } from '../../ui/dialog';
import { inWords } from '../../ui/format';
import { Area, Form } from '../../ui/form';
import { Loaded, Page, Problem, Section } from '../../ui/page';
import { Table } from '../../ui/table';
import { Badge, Facts, Money, When } from '../../ui/values';
import type { Commission } from '../types';

const words = text.app.commissions;

export default function CommissionPage() {
  const { programId, commissionId } = useParams({ strict: false }) as Record<string, string>;
  const path = `/api/v1/programs/${programId}/commissions/${commissionId}`;
  const commission = useApi<Commission>(path);
  return (
    <Page title={words.one}>
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

function factsOf(one: Commission) {
  const { currency, programId, participantId, conversionId } = one;
  return [
    [text.status, <Badge key="status" status={one.status} />],
    [text.amount, <Money key="amount" cents={one.amountCents} currency={currency} />],
    [words.ofSale, <Money key="sale" cents={one.conversionAmountCents} currency={currency} />],
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
    [words.reviewReasons, (one.reviewReasons ?? []).map(reviewInWords).join(' ') || null],
    [words.rejectionReason, one.rejectionReason],
  ] as const;
}

/** Why a person has to look at it, in a sentence. */
function reviewInWords(code: string): string {
  const known: Record<string, string> = words.reviews;
  return known[code] ?? `${inWords(code)}.`;
}

function Decide({ path, of }: { path: string; of: Commission }) {
  const change = useChange();
  const may = useMay('member');
  if (!may || !['pending', 'approved'].includes(of.status)) return null;
  const decide = (action: string, body?: unknown) =>
    change.mutateAsync({ path: `${path}/${action}`, method: 'PATCH', body });
  const isPending = of.status === 'pending';
  return (
    <div className="selected">
      {isPending && !of.holdActive && (
        <button
          type="button"
          className="primary"
          onClick={() => void decide('approve').catch(() => undefined)}
        >
          {words.approve}
        </button>
      )}
      {isPending && of.holdActive && (
        <ReasonButton
          label={words.override}
          send={(reason) => decide('approve-override', { reason })}
        />
      )}
      <ReasonButton label={words.reject} send={(reason) => decide('reject', { reason })} />
      <Problem error={change.error} />
    </div>
  );
}

interface ReasonProps {
  label: string;
  send: (reason: string) => Promise<unknown>;
}

function ReasonButton({ label, send }: ReasonProps) {
  return (
    <DialogButton label={label}>
      {(close) => (
        <Form
          submit={label}
          onSubmit={async ({ reason = '' }) => {
            await send(reason);
            close();
          }}
        >
          {(problem) => <Area label={text.reason} name="reason" problem={problem('reason')} />}
        </Form>
      )}
    </DialogButton>
  );
}

function History({ of: { history = [] } }: { of: Commission }) {
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

function Ledger({ of: { ledger = [] } }: { of: Commission }) {
  return (
    <Section title={words.ledger}>
      <Table
        caption={words.ledger}
        columns={[
          { title: text.created, cell: ({ createdAt }) => <When at={createdAt} /> },
          { title: words.entry, cell: ({ type }) => inWords(type) },
          {
            title: text.amount,
            isNumber: true,
            cell: ({ amountCents, currency }) => <Money cents={amountCents} currency={currency} />,
          },
        ]}
        rows={ledger}
        rowKey={({ id }) => id}
        empty={text.nothing}
      />
    </Section>
  );
}
