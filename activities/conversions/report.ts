import { AppError, validationError } from '../../entities/errors';
import {
  clockToleranceMs,
  type AttributionReason,
  type ConversionSource,
} from '../../entities/rules/attribution/attribute';
import type {
  ConversionItem,
  ConversionMetadata,
} from '../../entities/rules/attribution/conversion';
import type { Credit, Sold, Verdict } from '../../entities/rules/payments/credit';
import type { PaymentRank } from '../../entities/rules/commissions/rule-match';
import type { CommandContext } from '../journal/cause';

/** A purchase as it is reported, by a merchant's server or read off a processor's event. */
export interface ConversionReport {
  source: ConversionSource;
  externalTransactionId: string;
  /** Further ids of the same payment: none of them can be reported again. */
  aliases: string[];
  eventType: string;
  /** Minor units. */
  amountCents: number;
  /** What the buyer was charged, with tax and shipping, where that is known. */
  grossCents?: number;
  /** Lower case; null only when there is no amount. */
  currency: string | null;
  /** Null: now. A processor's time is in whole seconds and may be ahead of our clock. */
  occurredAt: Date | null;
  clickId: string | null;
  promoCode: string | null;
  /** The buyer's address in plain, for the fraud rules only, and its keyed hash, which is kept. */
  prospect: { email: string; hash: string } | null;
  customerId: string | null;
  /** Further ids of the same customer, surer than `customerId`: the merchant's own beside Stripe's. */
  customerNames?: string[];
  metadata: ConversionMetadata | null;
  /** What was sold; absent and null alike: not told. */
  items?: ConversionItem[] | null;
  /** A processor has not told yet what was sold, and may still. */
  awaitsItems?: boolean;
  /** The processor's fee, null while it is not known. */
  feeCents: number | null;
  /**
   * The credit that the timeline of its customer and subscription gave; null where what is known of
   * the customer says it all.
   */
  credit: DecidedCredit | null;
  /** No sale: whoever takes a programme's sales, its sign-ups come from the merchant. */
  isSignUp?: true;
  /** When the buyer went through the checkout, if that is known: the moment for the click's window. */
  checkedOutAt?: Date | null;
}

/** The credit of a payment that was decided with all others of its customer and subscription. */
export interface DecidedCredit {
  credit: Extract<Credit, { kind: 'own' | 'renewed' }>;
  /** The start of the period that it pays for. */
  periodAt: Date;
  /** When it was first told: its hold counts from then. */
  arrivedAt: Date;
  /** A proration, a threshold or an invoice by hand: flat terms pay none of it. */
  isPart: boolean;
  creditedAs: string;
  /** Which payment of its customer it is; null for what is none. */
  rank: PaymentRank | null;
  /** The digest of the items that a processor says were sold; another one has the terms chosen anew. */
  sold: Sold;
  /** What was decided when it was told, which stands when it is credited again. */
  stands: Standing | null;
}

/** What was decided of a conversion before, and is not asked anew. */
export interface Standing {
  /** What its own signals gave; null when it had none. */
  verdict: Verdict | null;
  /** The partner of before, whose status was asked then. */
  participantId: string | null;
  reason: AttributionReason;
}

/** The scope, the time and the request of a report; what follows from it is the system's doing. */
export type ReportContext = Pick<CommandContext, 'scope' | 'now' | 'requestId'>;

/** Every id of the payment, once, in one order: two reports lock them alike. */
export function aliasesOf(
  report: Pick<ConversionReport, 'externalTransactionId' | 'aliases'>,
): string[] {
  return [...new Set([report.externalTransactionId, ...report.aliases])].sort();
}

/** NO_ATTRIBUTION_SIGNAL, when there is nothing that could attribute it. */
export function assertSignal(report: ConversionReport): void {
  const { clickId, promoCode, credit } = report;
  if (clickId !== null || promoCode !== null || credit !== null) return;
  if (customerNamesOf(report).length === 0) throw new AppError('NO_ATTRIBUTION_SIGNAL');
}

/** What the customer may be known by, the surest first. */
export function customerNamesOf({
  customerId,
  customerNames = [],
}: Pick<ConversionReport, 'customerId' | 'customerNames'>): string[] {
  return [...new Set([...customerNames, ...(customerId ? [customerId] : [])])];
}

/** A merchant's clock may be a little ahead of ours; a processor's test clock may be years ahead. */
export function assertNotAhead({ source, occurredAt }: ConversionReport, now: Date): void {
  if (source !== 'api' || !occurredAt) return;
  if (occurredAt.getTime() > now.getTime() + clockToleranceMs) {
    throw validationError('occurred_at', 'must not be more than 5 minutes ahead');
  }
}
