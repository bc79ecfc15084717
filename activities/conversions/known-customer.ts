import { clockToleranceMs, type Moment } from '../../entities/rules/attribution/attribute';
import type { BindingFact } from '../../entities/rules/customers/bindings';
import type { Before, First, Payment, Verdict } from '../../entities/rules/payments/credit';
import type { KnownCustomer } from './read-signals';
import type { ConversionReport } from './report';

/**
 * Whether what is stored of the customer decides the report alone: it lies after what bound them and after
 * all that they paid. What lies before asks for their other payments anew.
 */
export function isLatestOf(
  customer: KnownCustomer | null,
  occurred: Moment,
  { isTimeTold }: { isTimeTold: boolean },
): boolean {
  if (!customer) return true;
  const { binding, lastPaidAt, changedAt, firstPayments } = customer;
  // A time that was told may lie before the cutover.
  if (binding?.source === 'import' && isTimeTold) return false;
  if (changedAt && occurred.at < changedAt) return false;
  const firsts = Object.values(firstPayments);
  // How many payments came before, an earlier release did not count.
  if (firsts.some(({ payments }) => payments === undefined)) return false;
  return !lastPaidAt || occurred.at > lastPaidAt;
}

/**
 * When a report happened that gives no time: at its arrival, and after what was recorded of its customer
 * by then, also where that arrived a moment later or by another clock.
 */
export function arrivalOf(customer: KnownCustomer | null, now: Date): Date {
  const { lastPaidAt = null, changedAt = null, firstPayments = {} } = customer ?? {};
  const known = [
    ...Object.values(firstPayments).map(({ paidAt }) => Date.parse(paidAt)),
    ...[changedAt, lastPaidAt].flatMap((at) => at?.getTime() ?? []),
  ];
  const latest = Math.max(0, ...known) + 1;
  const isAMomentAgo = latest > now.getTime() && latest <= now.getTime() + clockToleranceMs;
  return isAMomentAgo ? new Date(latest) : now;
}

/** A report as a payment of its customer; those of the merchant's own have no subscription. */
export function reportedPayment(
  { report, id }: { report: ConversionReport; id: string },
  { occurred, verdict }: { occurred: Moment; verdict: Verdict | null },
): Payment {
  return {
    id,
    externalId: report.externalTransactionId,
    toldBy: 'report',
    paid: { at: occurred.at, until: occurred.at },
    periodAt: occurred.at,
    amountCents: report.amountCents,
    begins: false,
    subscription: null,
    subscriptionBeganAt: null,
    customer: null,
    own: verdict,
    isFromTrialCheckout: false,
    mayHaveCheckout: false,
    canAsk: false,
    isCredited: false,
    failedFor: null,
  };
}

/** What came before the latest payment of a customer. */
export function beforeLatest(customer: KnownCustomer | null): Before {
  const fact = customer && bindingFactOf(customer);
  return {
    ofSubscription: null,
    subscriptionBeganAt: null,
    firsts: firstsOf(customer),
    bindings: fact ? [{ fact, from: fact.speaksFrom, until: null }] : [],
    bindingFacts: fact ? [fact] : [],
    isWaitedFor: false,
  };
}

function bindingFactOf({ binding }: KnownCustomer): BindingFact | null {
  if (!binding) return null;
  const { source, boundAt, facts } = binding;
  return {
    participantId: facts.participant.id,
    programId: facts.program.id,
    source,
    boundAt,
    speaksFrom: boundAt,
  };
}

function firstsOf(customer: KnownCustomer | null): Map<string, First> {
  const firsts = Object.entries(customer?.firstPayments ?? {});
  return new Map(
    firsts.map(([programId, { paidAt, periodAt, payments = null }]) => [
      programId,
      { paidAt: new Date(paidAt), periodAt: new Date(periodAt), payments },
    ]),
  );
}
