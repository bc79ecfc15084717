import type { StoredSale, StoredSignals } from '../payments/sale';

/** One object of a biller's, with what its events say of it; null while others only named it. */
export interface BillerObject {
  id: string;
  fact: { kind: string } | null;
}

/** One event as facts about one payment. */
export interface BillerFacts {
  objects: BillerObject[];
  /** What the payment itself is known by. */
  ids: string[];
  /** The buyer's address, for fraud rules only: never kept in plain. */
  email: string | null;
  /** The biller was asked from the side of what came back, and knows no sale of the payment. */
  withoutInvoice?: boolean;
  /** Texts of discounts, as events of the discounts themselves tell them. */
  discounts?: Discount[];
}

export interface Discount {
  id: string;
  /** Empty for one that is applied without a code. */
  code: string;
  /** ISO with microseconds: when it was so. */
  toldAt: string;
}

/** What is kept of every signed event beside its raw bytes. */
export interface EventHeader {
  billerEventId: string;
  type: string;
  apiVersion: string | null;
  /** Id of the object that it is about. */
  objectId: string | null;
  /** Why it does not belong to a connection of this mode; null when it does. */
  foreign(mode: 'test' | 'live'): string | null;
}

/** What became of one payment, as far as its objects say (docs/reference/payments.md, Refunds and disputes). */
export interface PaymentSettlement {
  /** The whole that comes back in parts; null while no object says how much it is. */
  chargeCents: number | null;
  refundedCents: number;
  lostDisputeCents: number;
  openDisputes: number;
  /** Null until it is known. */
  feeCents: number | null;
}

/** What the objects of one payment say together. */
export interface PaymentSummary {
  sale: StoredSale | null;
  /** When money came in, ISO; null before it did, and when credit covered all. */
  paidAt: string | null;
  isPaid: boolean;
  /** How many of its objects tell of the sale itself: 0 for what only came back. */
  tellings: number;
  /** A discount was given, and it is not known by which code. */
  hidesCode: boolean;
  signals: StoredSignals;
  /** What the buyer may be known by: the merchant's own ids, the surest first, then the biller's. */
  names: { own: string[]; billers: string[] };
  subscriptionId: string | null;
  customerId: string | null;
}

/** How one biller's events are read: pure, and all that differs between billers beside the network. */
export interface BillerRules {
  /** The kinds that we act on, and that an endpoint registered by us asks for. */
  eventTypes: readonly string[];
  /** Whether events of a kind are acted on. */
  isRead(type: string): boolean;
  /** Whether it has the form of an id under which a payment can be reported by API, too. */
  isPaymentId(id: string): boolean;
  /** Null when the body is no event; `deliveryId` is what names a delivery outside of its body. */
  headerOf(body: unknown, deliveryId: string | null): EventHeader | null;
  /** Null when its type or object is nothing of ours; `receivedAt` (ISO) stands in for a missing time. */
  factsOf(body: unknown, receivedAt: string): BillerFacts | null;
  /** What two facts of one object say together, the stored one first; the same when repeated. */
  merge(stored: BillerObject['fact'], told: BillerObject['fact']): BillerObject['fact'];
  /** What a fact says, but for when it was told: equal texts say the same. */
  says(fact: BillerObject['fact']): string;
  summaryOf(objects: readonly BillerObject[]): PaymentSummary;
  settlementOf(objects: readonly BillerObject[]): PaymentSettlement;
  /** Every id that the payment itself is known by: aliases of its conversion. */
  paymentIdsOf(objects: readonly BillerObject[]): string[];
  /** Discounts whose text facts leave out, and the facts with it, of several the one of the sale's time; of a biller that names them by id alone. */
  discountsOf?(facts: BillerFacts): string[];
  withCodes?(facts: BillerFacts, discounts: readonly Discount[]): BillerFacts;
  /** Whether facts tell who sold, so that signals are judged: of a refund months later they are not. */
  tellsSale(objects: readonly BillerObject[]): boolean;
  /**
   * Whether a payment was told of, given what is known of its sale. A biller that tells a payment whole only
   * notes what is not done yet: such a payment has not arrived.
   */
  isTold(sale: StoredSale | null): boolean;
  /** Ids, and names of ours, that whoever touches the payment locks. */
  namesOf(objects: readonly BillerObject[]): string[];
}
