import type { NewBinding } from '../customers/write';
import { attributionObject, type ConversionRecord } from './conversion';
import type { ConversionFacts, KnownCustomer } from './read-signals';
import type { ConversionReport } from './report';

/** What an attributed conversion leaves of its customer. */
export interface CustomerPlan {
  /** As the plan saw them; null for one who is not known yet. */
  known: Pick<KnownCustomer, 'id' | 'participantId' | 'firstPaidAt'> | null;
  /** The id that they are known by from now on, of one who is not known yet. */
  customerId: string;
  /** Whose they are from now on; null when they are somebody's already. */
  binding: NewBinding | null;
  /** The customer's first attributed payment; null when it is not this one. */
  firstPaidAt: Date | null;
}

/** Binds the customer of an attributed conversion, once, and keeps when they first paid. */
export function planCustomer(
  { report, facts }: { report: ConversionReport; facts: ConversionFacts },
  record: ConversionRecord,
): CustomerPlan | null {
  const { customer: known } = facts;
  const { customerId } = report;
  if (!record.attributed || (!known && !customerId)) return null;
  const binding = mayBind(record, known) ? bindingBy(record) : null;
  const firstPaidAt = isFirstPayment(record, known) ? record.occurredAt : null;
  if (!binding && !firstPaidAt) return null;
  return { known, customerId: customerId ?? '', binding, firstPaidAt };
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
  if (customer) return customer.firstPaidAt === null;
  return report.customerId !== null || eventType !== 'renewal';
}

/** A customer is bound once. After a member has unbound them, only a later payment binds them again. */
function mayBind({ occurredAt }: ConversionRecord, known: KnownCustomer | null): boolean {
  if (known?.binding) return false;
  return !known?.unboundAt || occurredAt >= known.unboundAt;
}

function bindingBy(record: ConversionRecord): NewBinding | null {
  const { participantId, programId, source, occurredAt: boundAt } = record;
  if (participantId === null || programId === null) return null;
  return {
    participantId,
    programId,
    source: source === 'api' ? 'conversion' : 'stripe',
    boundAt,
    attribution: attributionObject(record),
  };
}

function isFirstPayment(
  { amountCents, occurredAt }: ConversionRecord,
  known: KnownCustomer | null,
): boolean {
  if (amountCents === 0) return false;
  return !known?.firstPaidAt || occurredAt < known.firstPaidAt;
}
