import { Link, useParams } from '@tanstack/react-router';
import { useApi, useChange, useMay } from '../../session/use-session';
import { text } from '../../text/en';
import { DialogButton } from '../../ui/dialog';
import { formatShare, inWords, parseMoney } from '../../ui/format';
import { Area, Field, Form } from '../../ui/form';
import { Loaded, Page, Section } from '../../ui/page';
import { Table, type Paged } from '../../ui/table';
import { Badge, Facts, Money, When } from '../../ui/values';
import { refused } from '../../session/refused';
import type { Conversion } from '../types';

const words = text.app.sales;

export default function SalePage() {
  const { conversionId = '' } = useParams({ strict: false }) as Record<string, string>;
  const path = `/api/v1/conversions/${conversionId}`;
  const sale = useApi<Conversion>(path);
  return (
    <Page title={words.one} actions={sale.data && <Refund path={path} of={sale.data} />}>
      <Loaded query={sale}>
        {(one) => (
          <>
            <Facts of={factsOf(one)} />
            <Trace conversionId={one.id} />
            <Refunds path={path} currency={one.currency} />
          </>
        )}
      </Loaded>
    </Page>
  );
}

function factsOf(one: Conversion) {
  const { commission, attribution } = one;
  return [
    [words.id, <code key="id">{one.external_transaction_id}</code>],
    [words.credited, one.attributed ? words.credited : inWords(attribution.reason)],
    [text.reason, attribution.explanation],
    [words.kind, inWords(one.event_type)],
    [text.amount, <Money key="a" cents={one.amount_cents} currency={one.currency} />],
    [words.refunded, <Money key="r" cents={one.refunded_amount_cents} currency={one.currency} />],
    [words.occurred, <When key="o" at={one.occurred_at ?? one.created_at} />],
    [words.customerId, one.customer_id],
    [
      words.commission,
      commission && attribution.program_id && (
        <Link key="c" to={`/commissions/${attribution.program_id}/${commission.id}`}>
          <Badge status={commission.status} />{' '}
          <Money cents={commission.amount_cents} currency={commission.currency} />
        </Link>
      ),
    ],
  ] as const;
}

interface Candidate {
  signal: string;
  outcome: string;
  participant?: { id: string; status: string } | null;
  window?: { clicked_at: string; window_ends_at: string; inside: boolean } | null;
}

interface TraceTerms {
  type: string;
  rate_bps: number | null;
  basis: string;
  hold_days: number;
}

interface Decision {
  explanation: string;
  trace: {
    signals: Record<string, string | null>;
    candidates: Candidate[];
    rule: { name?: string } | null;
    terms: TraceTerms | null;
    fraud_rules: {
      rule: string;
      action: string;
      hit: boolean;
      value: unknown;
      threshold: unknown;
    }[];
  } | null;
}

/** The decision in words: what was sent, who was considered, which window, which rule. */
function Trace({ conversionId }: { conversionId: string }) {
  const decision = useApi<Decision>(`/api/v1/attribution/decisions/${conversionId}`);
  return (
    <Section title={words.trace}>
      <Loaded query={decision}>
        {({ explanation, trace }) => (
          <>
            <p>{explanation}</p>
            {trace && <Steps of={trace} />}
          </>
        )}
      </Loaded>
    </Section>
  );
}

function Steps({
  of: { signals, candidates, rule, terms, fraud_rules },
}: {
  of: NonNullable<Decision['trace']>;
}) {
  const sent = Object.entries(signals).filter(([, value]) => value !== null);
  const hits = fraud_rules.filter(({ hit }) => hit);
  return (
    <ol className="story">
      <li>
        {words.sent}:{' '}
        {sent.map(([name, value]) => `${inWords(name)} ${value}`).join(', ') || words.noSignal}
      </li>
      {candidates.map((one) => (
        <li key={one.signal}>
          {words.considered(inWords(one.signal))}: {inWords(one.outcome)}
          {one.window && (
            <>
              {'. '}
              {words.clicked} <When at={one.window.clicked_at} />, {words.windowEnds}{' '}
              <When at={one.window.window_ends_at} />
            </>
          )}
        </li>
      ))}
      {terms && (
        <li>
          {rule?.name ? words.byRule(rule.name) : words.byProgram}: {inTerms(terms)}
        </li>
      )}
      <li>
        {hits.length === 0
          ? words.noFraud
          : hits.map(({ rule: name, action }) => `${inWords(name)}: ${inWords(action)}`).join(', ')}
      </li>
    </ol>
  );
}

function inTerms({ type, rate_bps, basis, hold_days }: TraceTerms): string {
  const earned =
    type === 'percentage' ? `${formatShare((rate_bps ?? 0) / 10_000)} ${basis}` : inWords(type);
  return words.termsInWords(earned, hold_days);
}

function Refund({ path, of: { currency } }: { path: string; of: Conversion }) {
  const change = useChange();
  if (!useMay('member')) return null;
  const submit = async ({ amount = '', external_refund_id, reason }: Record<string, string>) => {
    const cents = amount === '' ? undefined : parseMoney(amount, currency);
    if (amount !== '' && cents === undefined) throw refused('amount_cents', words.noAmount);
    const body = {
      external_refund_id,
      ...(cents !== undefined && { amount_cents: cents }),
      ...(reason && { reason }),
    };
    await change.mutateAsync({ path: `${path}/refunds`, method: 'POST', body });
  };
  return (
    <DialogButton label={words.refund}>
      {(close) => (
        <Form
          submit={words.refund}
          onSubmit={async (values) => {
            await submit(values);
            close();
          }}
        >
          {(problem) => (
            <>
              <Field
                label={words.refundId}
                name="external_refund_id"
                problem={problem('external_refund_id')}
              />
              <Field
                label={text.amount}
                name="amount"
                inputMode="decimal"
                hint={words.refundHint}
                problem={problem('amount_cents')}
              />
              <Area label={text.reason} name="reason" problem={problem('reason')} />
            </>
          )}
        </Form>
      )}
    </DialogButton>
  );
}

interface RefundRow {
  id: string;
  external_refund_id: string;
  amount_cents: number;
  reason: string | null;
  created_at: string;
}

function Refunds({ path, currency }: { path: string; currency: string }) {
  const refunds = useApi<Paged<RefundRow>>(`${path}/refunds`, { limit: 100 });
  if (!refunds.data?.data.length) return null;
  return (
    <Section title={words.refunds}>
      <Table
        caption={words.refunds}
        columns={[
          { title: text.created, cell: ({ created_at }) => <When at={created_at} /> },
          { title: words.refundId, cell: (row) => <code>{row.external_refund_id}</code> },
          { title: text.reason, cell: ({ reason }) => reason ?? text.nothing },
          {
            title: text.amount,
            isNumber: true,
            cell: ({ amount_cents }) => <Money cents={amount_cents} currency={currency} />,
          },
        ]}
        rows={refunds.data.data}
        rowKey={({ id }) => id}
        empty={text.nothing}
      />
    </Section>
  );
}
