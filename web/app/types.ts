import type { Amount } from '../ui/values';

// What the pages read of the API's records.

/** What a sale earns: basis points of it, or an amount in minor units. */
export interface Earning {
  type: 'percentage' | 'flat';
  rateBps: number | null;
  amountCents: number | null;
  /** Of percentages only. */
  basis: 'gross' | 'net' | null;
}

export interface Terms extends Earning {
  recurring: boolean;
  recurringMonths: number | null;
}

export interface Program {
  id: string;
  name: string;
  websiteUrl: string;
  description: string | null;
  currency: string;
  status: string;
  attributionWindowDays: number;
  approvalMode: 'auto' | 'manual';
  publicApplications: boolean;
  commission: Terms;
  holdDays: number;
  autoApprove: boolean;
  acceptedCurrencies: string[];
  reviewAboveCents: number | null;
  minPayoutCents: number;
  salesFrom: 'both' | 'api' | 'stripe';
  bannedSources: string[];
}

export interface Participant {
  id: string;
  programId: string;
  partnerName: string;
  partnerEmail: string;
  status: string;
  statusReason: string | null;
  message: string | null;
  referralCode: string | null;
  promoCodes: string[];
  createdAt: string;
  approvedAt: string | null;
  /** False until the person has chosen a password, of whom a server or a member added. */
  claimed: boolean;
  clicks: number;
  conversions: number;
  revenue: Amount[];
  commissions: Amount[];
}

export interface Balance {
  currency: string;
  pendingCents: number;
  approvedCents: number;
  inPayoutCents: number;
  paidCents: number;
  debtCents: number;
}

export interface Commission {
  id: string;
  programId: string;
  programName: string;
  participantId: string;
  partnerName: string;
  conversionId: string | null;
  externalTransactionId?: string | null;
  status: string;
  commissionType: string;
  amountCents: number;
  originalAmountCents: number;
  adjustmentReason: string | null;
  refundedAmountCents: number;
  currency: string;
  conversionAmountCents: number;
  needsReview: boolean;
  overrideReason: string | null;
  reviewReasons?: string[];
  holdUntil: string | null;
  holdActive: boolean;
  rejectionReason: string | null;
  payoutId: string | null;
  createdAt: string;
  history?: HistoryLine[];
  ledger?: LedgerLine[];
}

export interface HistoryLine {
  from: string | null;
  to: string;
  trigger: string;
  actor: { type: string; id: string | null };
  reason: string | null;
  at: string;
}

export interface LedgerLine {
  id: string;
  type: string;
  amountCents: number;
  currency: string;
  createdAt: string;
}

export interface Conversion {
  id: string;
  external_transaction_id: string;
  attributed: boolean;
  attribution: {
    reason: string;
    explanation: string;
    matched_by: string | null;
    click_id: string | null;
    promo_code: string | null;
    participant_id: string | null;
    program_id: string | null;
    window_ends_at: string | null;
  };
  commission: { id: string; status: string; amount_cents: number; currency: string } | null;
  event_type: string;
  amount_cents: number;
  /** Null of what cost nothing, such as a sign-up. */
  currency: string | null;
  occurred_at: string | null;
  customer_id: string | null;
  source: string;
  refunded_amount_cents: number;
  created_at: string;
}

export interface PayoutItem {
  id?: string;
  participantId: string;
  partnerName: string;
  currency: string;
  amountCents: number;
  commissionCount: number;
  method?: { type: string; label: string } | null;
  status?: string;
  transactionId?: string | null;
  reason?: string | null;
  exportedAt?: string | null;
  paidAt?: string | null;
}

export interface Payout {
  id: string;
  programId: string;
  status: string;
  reference: string | null;
  items: PayoutItem[];
  progress?: { done: number; total: number };
  createdAt: string;
  completedAt: string | null;
}
