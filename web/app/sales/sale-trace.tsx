import type {
  CandidateDto,
  DecisionDetailDto,
  DecisionTermsDto,
  FormerAnswerDto,
} from '../../session/records';
import { useAnswer } from '../../session/use-session';
import { programme as programmeWords } from '../../text/en/app/programme';
import { sales as words } from '../../text/en/app/sales';
import { formatMoney, formatShare, inWords } from '../../ui/format';
import { Loaded, Section } from '../../ui/page';
import { When } from '../../ui/values';

interface TraceProps {
  conversionId: string;
  currency: string | null;
  /** What the sale earned, where it did. */
  earned: { amount_cents: number; currency: string } | null;
}

/** The decision in words: what was sent, who was considered, which window, rule and amount. */
export function Trace({ conversionId, currency, earned }: TraceProps) {
  const decision = useAnswer('attribution.getDecision', { conversionId });
  return (
    <Section title={words.trace}>
      <Loaded query={decision}>
        {({ explanation, trace }) => (
          <>
            <p>{explanation}</p>
            {trace && (
              <ol className="story">
                <li>
                  {words.sent}: {sentInWords(trace.signals)}
                </li>
                <AllConsidered of={trace.candidates} />
                {trace.terms && (
                  <li>
                    {trace.rule === null ? words.byProgram : words.byRule(trace.rule)}:{' '}
                    {inTerms(trace.terms, earned?.currency ?? currency)}
                  </li>
                )}
                {earned && (
                  <li>{words.makes(formatMoney(earned.amount_cents, earned.currency))}</li>
                )}
                <li>
                  {fraudInWords(trace.fraud_rules)}
                  {isOfOneMachine(trace.fraud_rules) && <p className="fine">{words.oneMachine}</p>}
                </li>
                {trace.former.map((one) => (
                  <Former key={one.until} of={one} currency={currency} />
                ))}
              </ol>
            )}
          </>
        )}
      </Loaded>
    </Section>
  );
}

function sentInWords(signals: Record<string, string | null>): string {
  const sent = Object.entries(signals).filter(([, value]) => value !== null);
  return sent.map(([name, value]) => `${inWords(name)} ${value}`).join(', ') || words.noSignal;
}

/** An answer that did not stand: what it was, until when, and which fact changed it. */
function Former({ of, currency }: { of: FormerAnswerDto; currency: string | null }) {
  const { nobody, somebody, until, because, changedBy } = words.answeredBefore;
  const sum = currency !== null && ` (${formatMoney(of.amount_cents, currency)})`;
  return (
    <li>
      {of.attributed ? somebody : `${nobody}: ${inWords(of.reason)}`}
      {sum}, {until} <When at={of.until} />. {changedBy(because[of.fact])}
    </li>
  );
}

/** All candidates, by name: the trace itself knows ids only, and a partner may have been erased since. */
function AllConsidered({ of }: { of: readonly CandidateDto[] }) {
  const ids = of.map(({ participant }) => participant?.id).filter((id) => id !== undefined);
  const asked = { ids: [...new Set(ids)].toSorted().join(','), limit: 100 };
  const partners = useAnswer('partners.listNames', ids.length > 0 && asked);
  const nameOf = (id: string | undefined): string =>
    partners.data?.data.find((one) => one.id === id)?.partnerName ?? words.thePartner;
  return of.map((one) => (
    <Considered key={one.signal} of={one} name={nameOf(one.participant?.id)} />
  ));
}

interface ConsideredProps {
  of: CandidateDto;
  /** The name of the partner whose click, code or customer it is. */
  name: string;
}

function Considered({
  of: { signal, outcome, participant, window, customer },
  name,
}: ConsideredProps) {
  return (
    <li>
      {words.considered(inWords(signal))}:{' '}
      {outcome === 'HOLDS' ? words.holds : `${inWords(outcome)}.`}{' '}
      {participant && `${words.partnerIs(name, inWords(participant.status).toLowerCase())} `}
      {window && (
        <>
          {words.clicked} <When at={window.clicked_at} />, {words.windowEnds}{' '}
          <When at={window.window_ends_at} />: {window.inside ? words.inside : words.outside}
        </>
      )}
      {customer && (
        <>
          {words.bound(inWords(customer.source).toLowerCase())} <When at={customer.bound_at} />
          {customer.months !== null && `, ${words.monthsAfter(customer.months)}`}.
        </>
      )}
    </li>
  );
}

function inTerms(terms: DecisionTermsDto, currency: string | null): string {
  const { type, rate_bps, amount_cents, basis, recurring, recurring_months, hold_days } = terms;
  const flat = currency === null ? String(amount_cents) : formatMoney(amount_cents ?? 0, currency);
  const earned =
    type === 'percentage' ? `${formatShare((rate_bps ?? 0) / 10_000)} ${basis ?? ''}` : flat;
  const { forEver, forMonths } = programmeWords;
  const renewals = recurring_months === null ? forEver : forMonths(recurring_months);
  return [earned.trim(), ...(recurring ? [renewals] : []), words.held(hold_days)].join(', ');
}

const loopback = /^(localhost|127\.|\[::1\])/;

/** Where everything runs on one machine, everybody comes from one address. */
function isOfOneMachine(rules: FraudHits): boolean {
  const isSame = rules.some(({ rule, hit }) => hit && rule === 'same_ip_as_partner');
  return isSame && loopback.test(window.location.host);
}

type FraudHits = NonNullable<DecisionDetailDto['trace']>['fraud_rules'];

function fraudInWords(rules: FraudHits): string {
  const hits = rules.filter(({ hit }) => hit);
  if (hits.length === 0) return words.noFraud;
  return hits.map(({ rule, action }) => `${inWords(rule)}: ${inWords(action)}`).join(', ');
}
