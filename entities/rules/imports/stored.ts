import type { PartnerRow, PayoutAddress } from './rows';
import type { ToldPartnerStatus } from './statuses';

/** `known`: it is here as it is told; `skipped`: nothing is to be booked of it. */
export const rowOutcomes = ['new', 'known', 'changed', 'skipped'] as const;
export type RowOutcome = (typeof rowOutcomes)[number];

/** Times are ISO instants. */
export interface StoredPartner {
  status: ToldPartnerStatus;
  createdAt: string | null;
  /** Campaigns that the row names. */
  groups?: string[];
}

export interface StoredLink {
  kind: 'link' | 'code';
  token: string;
  url: string | null;
}

export interface StoredCustomer {
  customerId: string;
  aliases: string[];
  boundAt: string | null;
  firstPaidAt: string | null;
}

export interface StoredCommission {
  /** The id as it was told, for a customer who is not imported. */
  customerId: string | null;
  saleIds: string[];
  saleCents: number | null;
  saleRefundedCents: number;
  occurredAt: string;
  dueAt: string | null;
  paidAt: string | null;
  note: string | null;
  /** The campaign that it was earned in, where the source says so. */
  group?: string | null;
  /** True past the cutover. */
  isAfter: boolean;
}

/** What is kept of a row; nothing of one with a problem. */
export type StoredFields =
  | StoredPartner
  | StoredLink
  | StoredCustomer
  | StoredCommission
  | Record<string, never>;

/** What of a partner is sealed. */
export interface SealedPartner extends Pick<PartnerRow, 'email' | 'name'> {
  payout: PayoutAddress | null;
}

/** What was told of a record last, as far as a change of it matters. */
export type ToldFacts = Readonly<Record<string, string | number | null>>;
