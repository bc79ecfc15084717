import type { ConversionItem, ConversionMetadata } from '../values/sale-facts';
import type { AttributionReason } from '../attribution/attribute';

/** All that may lead from a payment to a partner, in the order in which it counts. */
export interface StoredSignals {
  /** Click ids of metadata and references, the first before the later. */
  clickIds: string[];
  /** The ids that the merchant meant as a click, whatever they are. */
  metadataClickIds: string[];
  codes: string[];
}

/**
 * What the objects of a processor say of one payment as far as its credit goes: a reader of a biller
 * makes it, and nothing behind it knows the biller. Times are ISO, amounts minor units.
 */
export interface StoredSale {
  externalId: string;
  toldBy: 'checkout' | 'invoice' | 'charge';
  /** Null while nothing was paid: a trial's checkout, say. */
  paidAt: string | null;
  /** What signals and their windows are compared with: the checkout, else the invoice, else the payment. */
  madeAt: string;
  /** The start of the period that it pays for, else the time of the payment. */
  periodAt: string | null;
  /** What a commission is computed on; 0 where credit covered all. */
  amountCents: number;
  /** What the buyer was charged, with tax and shipping. */
  grossCents: number;
  currency: string;
  /** The first invoice of its subscription. */
  begins: boolean;
  /** True for less than a whole period's price: an upgrade in between, a threshold, an invoice by hand. */
  isPart: boolean;
  /** A checkout that was not told yet may have made it. */
  mayHaveCheckout: boolean;
  hasCheckout: boolean;
  signals: StoredSignals;
  /** Every id of the processor's that the payment is known by. */
  aliases: string[];
  /** The processor's fee; null while it is not known. */
  feeCents: number | null;
  /** What was sold, lines with an amount; absent and null alike: not told, or not in full. */
  items?: ConversionItem[] | null;
  /** The session's metadata, else the invoice's, else the subscription's. */
  metadata?: ConversionMetadata | null;
}

/** What the signals of a payment lead to; `key` names the signals, so that others are judged anew. */
export interface StoredVerdict {
  key: string;
  /** `elsewhere`: of programmes that take no sales of this processor's. */
  reason: AttributionReason | 'elsewhere';
  /** ISO: what they were compared with. */
  madeAt: string;
  clickId: string | null;
  promoCode: string | null;
  participantId: string | null;
  programId: string | null;
}

/** A customer's first attributed payments, by programme, and how many there are; times are ISO. */
export type FirstPayments = Record<
  string,
  { paidAt: string; periodAt: string; payments?: number | undefined }
>;

export function signalsKey({ clickIds, metadataClickIds, codes }: StoredSignals): string {
  return JSON.stringify([clickIds, metadataClickIds, codes]);
}

/** The time for which a checkout is waited for that may have made a payment, when the processor cannot be asked. */
export const checkoutWaitMs = 10 * 60_000;

/** An invoice comes a moment before the checkout that made it: that the processor knows none counts after this. */
export const checkoutKnownMs = 2 * 60_000;

/** When a payment stops waiting for a checkout. An invoice is asked for until the processor answers. */
export function waitsUntil(
  { toldBy }: Pick<StoredSale, 'toldBy'>,
  { toldAt, canAsk }: { toldAt: Date | null; canAsk: boolean },
): Date {
  const isKnownSoon = toldBy === 'charge' && canAsk;
  return new Date((toldAt?.getTime() ?? 0) + (isKnownSoon ? checkoutKnownMs : checkoutWaitMs));
}
