import type { ReviewReason } from '../commissions/review-reasons';
import type { FraudRule } from '../fraud/fraud';
import type { Amount } from '../values/money-words';
import type { Role } from '../values/roles';

export type { Amount } from '../values/money-words';

/**
 * What a notification and its mail say. Each type uses those that it has:
 * - conversion.*: programName and partnerName (null when nothing was attributed), amount,
 *   transactionId, rules
 * - commission.*: programName, partnerName, amount, transactionId, review, reason, atOnce, undone
 * - participant.*: programName, partnerName, reason; of a move name (the group), terms, since
 * - customer.lost: programName
 * - program.terms_changed: programName; of a least payout amount and formerly, else terms and formerTerms
 * - program.closing: programName, kind (closing or reopened), until, pending and amounts (what is owed)
 * - payout.*: programName, amounts (one for each currency), partners (how many are paid); of one that was
 *   not received partnerName, and in `reason` what the partner writes; of one that a person has to look at in
 *   `reason` why; of one that waits at its provider address and until
 * - webhook.*: url, reason
 * - security.api_key_*: kind, mode, name, prefix
 * - security.payout_provider_*: name, mode; security.payout_limits_changed: amounts, kind (one or two)
 * - security.member_*: memberEmail, role; of one who was removed keys
 * - security.workspace_*: name, until
 */
export interface NotificationFacts {
  programName?: string | null;
  partnerName?: string | null;
  amount?: Amount | null;
  /** What `amount` was before. */
  formerly?: Amount;
  amounts?: Amount[];
  /** What waits for a decision or for its time. */
  pending?: Amount[];
  partners?: number;
  reason?: string | null;
  /** The merchant's id of the payment. */
  transactionId?: string | null;
  /** Why it waits for a person. */
  review?: ReviewReason;
  /** Created and approved by one commit. */
  atOnce?: boolean;
  /** A member adjusted the balance; no sale earned what was approved. */
  adjusted?: boolean;
  /** What was brought earned it, no single sale. */
  bonus?: boolean;
  /** The cancelled payout was paid, and came back. */
  returned?: boolean;
  /** The refund of which this tells has failed. */
  undone?: boolean;
  /** Fraud rules that hit. */
  rules?: FraudRule[];
  /** How many events of a biller have waited for more than a day. */
  waiting?: number;
  /** The biller whose events they are, as people know it; absent for Stripe. */
  biller?: string;
  /** Address of a webhook endpoint. */
  url?: string;
  kind?: string;
  mode?: string;
  name?: string | null;
  prefix?: string;
  /** ISO instant. */
  until?: string;
  /** ISO instant: from when the terms hold. */
  since?: string;
  /** What holds for the partner, a line each. */
  terms?: string[];
  /** The same as it was before. */
  formerTerms?: string[];
  /** Nothing of the kind was there before. */
  isFirst?: boolean;
  /** The address to which the partner is paid. */
  address?: string;
  memberEmail?: string;
  /** Live keys that the member made. */
  keys?: string[];
  role?: Role;
}
