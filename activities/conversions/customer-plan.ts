import type { Credit, Payment } from '../../entities/rules/payments/credit';
import type { FirstPayments } from '../../entities/rules/payments/sale';
import type { NewBinding } from '../customers/write';
import { attributionObject, type ConversionRecord } from './conversion';
import type { ConversionFacts, KnownCustomer } from './read-signals';
import type { ConversionReport } from './report';

/** What a customer's latest payment leaves of them. */
export interface CustomerPlan {
  /** The customer as the plan saw them; null for one who is not known yet. */
  known: SeenCustomer | null;
  /** The id that they are known by from now on, of one who is not known yet. */
  customerId: string;
  /** The partner whose customer they are from now on; null when nothing changes that. */
  binding: NewBinding | null;
  /** What is known of them with this payment. */
  firstPayments: FirstPayments;
  lastPaidAt: Date;
}

/** A customer as a plan saw them. */
export type SeenCustomer = Pick<KnownCustomer, 'id' | 'seen'>;

interface Planned {
  record: ConversionRecord;
  payment: Payment;
}

/**
 * Binds the customer of an attributed conversion, once, and keeps what the next one is judged by. What a
 * timeline decided is kept with the timeline.
 */
export function planCustomer(
  { report, facts }: { report: ConversionReport; facts: ConversionFacts },
  { record, payment }: Planned,
): CustomerPlan | null {
  const { customer: known } = facts;
  const { customerId, credit } = report;
  if (credit !== null || (known === null && customerId === null)) return null;
  const first = countedBy(record, { payment, known });
  // What is no payment of one who is bound writes nothing but itself.
  if (isBound(known) && first === null) return null;
  return {
    known,
    customerId: customerId ?? '',
    binding: isBound(known) ? null : bindingBy(record),
    ...withPayment(known, { first, paidAt: record.occurredAt }),
  };
}

function withPayment(
  known: KnownCustomer | null,
  { first, paidAt }: { first: FirstPayments | null; paidAt: Date },
): Pick<CustomerPlan, 'firstPayments' | 'lastPaidAt'> {
  const { firstPayments = {}, lastPaidAt = null } = known ?? {};
  const isLast = lastPaidAt === null || paidAt > lastPaidAt;
  return {
    firstPayments: { ...firstPayments, ...first },
    lastPaidAt: isLast ? paidAt : lastPaidAt,
  };
}

function isBound(known: KnownCustomer | null): boolean {
  return known !== null && known.binding !== null;
}

/**
 * The customer whom a plan rests on and writes nothing of: what it says of them must hold as it is
 * written. Null where it is written with them, or a timeline, which has its own locks, decided it.
 */
export function restsOn(
  { report, facts }: { report: ConversionReport; facts: ConversionFacts },
  plan: CustomerPlan | null,
): SeenCustomer | null {
  return report.credit === null && plan === null ? facts.customer : null;
}

/**
 * Whether the sale won a customer: their first attributed payment, or one of nobody known. A renewal
 * that names nobody continues what began somewhere else.
 */
export function isOfNewCustomer(
  { report, facts: { customer } }: { report: ConversionReport; facts: ConversionFacts },
  { attributed, amountCents, eventType }: ConversionRecord,
): boolean {
  if (!attributed || amountCents === 0) return false;
  if (report.credit) return isFirst(report.credit.credit, eventType);
  if (customer) return Object.keys(customer.firstPayments).length === 0;
  return report.customerId !== null || eventType !== 'renewal';
}

function isFirst(credit: Credit, eventType: string): boolean {
  return credit.kind === 'renewed' ? credit.first === null : eventType !== 'renewal';
}

function bindingBy(record: ConversionRecord): NewBinding | null {
  const { attributed, participantId, programId, source, occurredAt: boundAt } = record;
  if (!attributed || participantId === null || programId === null) return null;
  return {
    participantId,
    programId,
    source: source === 'api' || source === 'import' ? 'conversion' : source,
    boundAt,
    speaksFrom: boundAt,
    paymentId: record.id,
    attribution: attributionObject(record),
    reason: null,
  };
}

/** Their first attributed payment in its programme, with this one counted; null when this is none. */
function countedBy(
  { attributed, amountCents, programId, occurredAt }: ConversionRecord,
  { payment, known }: { payment: Payment; known: KnownCustomer | null },
): FirstPayments | null {
  if (!attributed || amountCents === 0 || programId === null) return null;
  const before = known?.firstPayments[programId];
  if (before) return { [programId]: { ...before, payments: (before.payments ?? 1) + 1 } };
  const times = { paidAt: occurredAt.toISOString(), periodAt: payment.periodAt.toISOString() };
  return { [programId]: { ...times, payments: 1 } };
}
