import type { Credit, Payment } from '../../entities/rules/payments/credit';
import type { NewBinding } from '../customers/write';
import { attributionObject, type ConversionRecord } from './conversion';
import { beforeLatest } from './known-customer';
import type { ConversionFacts, KnownCustomer } from './read-signals';
import type { ConversionReport } from './report';

/** What a customer's latest payment leaves of them. */
export interface CustomerPlan {
  /** As the plan saw them; null for one who is not known yet. */
  known: Pick<KnownCustomer, 'id' | 'seen'> | null;
  /** The id that they are known by from now on, of one who is not known yet. */
  customerId: string;
  /** Whose they are from now on; null when nothing changes that. */
  binding: NewBinding | null;
  /** Their first attributed payment in a programme; null when it is not this one. */
  first: { programId: string; paidAt: Date; periodAt: Date } | null;
  paidAt: Date;
}

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
  const isBound = known !== null && known.binding !== null;
  const first = firstBy(record, { payment, known });
  // A later payment of one who is bound writes nothing but itself.
  if (isBound && first === null) return null;
  const binding = isBound ? null : bindingBy(record);
  return { known, customerId: customerId ?? '', binding, first, paidAt: record.occurredAt };
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
    source: source === 'api' ? 'conversion' : 'stripe',
    boundAt,
    speaksFrom: boundAt,
    paymentId: record.id,
    attribution: attributionObject(record),
    reason: null,
  };
}

function firstBy(
  { attributed, amountCents, programId, occurredAt }: ConversionRecord,
  { payment, known }: { payment: Payment; known: KnownCustomer | null },
): CustomerPlan['first'] {
  if (!attributed || amountCents === 0 || programId === null) return null;
  if (beforeLatest(known).firsts.has(programId)) return null;
  return { programId, paidAt: occurredAt, periodAt: payment.periodAt };
}
