import type {
  AttributionReason,
  Attribution,
  ConversionSource,
  Judgement,
  Moment,
  MatchKind,
  SignalKind,
} from './attribute';
import type { PinnedTerms, RuleTrace } from '../commissions/amount';
import { wholeMonthsBetween } from '../commissions/renewal';
import type { BindingSource } from '../customers/binding';
import type { FraudFinding } from '../fraud/fraud';
import { secondsBetween } from '../values/instant';
import { cut } from '../values/cut';
import type { ConversionItem, ConversionMetadata } from '../values/sale-facts';
import type { ParticipantStatus } from '../partners/participant-status';
import type { ProgramStatus } from '../programs/terms';

export type { ConversionItem, ConversionMetadata };
export { isConversionMetadata, maxMetadataKeys } from '../values/sale-facts';

export const maxTransactionIdLength = 255;
export const maxEventTypeLength = 100;

/** A signal that is no click and no code is kept cut: it may be any text. */
export const maxSignalLength = 255;

export function cutSignal(text: string): string {
  return cut(text, maxSignalLength);
}

export const maxConversionItems = 50;

/** How a conversion lies in a click's window; negative seconds are after the end, or before the click. */
export interface WindowTrace {
  clicked_at: string;
  occurred_at: string;
  window_ends_at: string;
  seconds_since_click: number;
  seconds_to_end: number;
  inside: boolean;
}

/** The binding of the customer, when it began, and the months that recurring terms count. */
export interface CustomerTrace {
  source: BindingSource;
  bound_at: string;
  /** Null when this is the first payment. */
  first_paid_at: string | null;
  /** Whole months since then; 0 within the first. */
  months: number;
}

/** One signal as it was judged: `outcome` is HOLDS or the first thing that was wrong with it. */
export interface CandidateTrace {
  signal: SignalKind;
  outcome: 'HOLDS' | AttributionReason;
  program: { id: string; status: ProgramStatus } | null;
  participant: {
    id: string;
    status: ParticipantStatus;
    erased: boolean;
  } | null;
  window: WindowTrace | null;
  customer: CustomerTrace | null;
}

/** The terms that applied; they are pinned on the commission, if there is one. */
export interface TermsTrace {
  type: PinnedTerms['type'];
  rate_bps: number | null;
  amount_cents: number | null;
  basis: PinnedTerms['basis'];
  recurring: boolean;
  recurring_months: number | null;
  hold_days: number;
  auto_approve: boolean;
}

export function termsTrace(terms: PinnedTerms): TermsTrace {
  return {
    type: terms.type,
    rate_bps: terms.rateBps,
    amount_cents: terms.amountCents,
    basis: terms.basis,
    recurring: terms.recurring,
    recurring_months: terms.recurringMonths,
    hold_days: terms.holdDays,
    auto_approve: terms.autoApprove,
  };
}

/** The kinds of fact after which an answer is asked anew. */
export const creditFacts = ['payment', 'report', 'sign_up', 'hand', 'operator'] as const;
export type CreditFact = (typeof creditFacts)[number];

/** What was answered until a fact came that changed it. */
export interface FormerAnswer {
  until: string;
  fact: CreditFact;
  attributed: boolean;
  reason: AttributionReason;
  participant_id: string | null;
  amount_cents: number;
}

/** The number of former answers that are kept, the newest ones. */
const maxFormer = 20;

/** The trace that holds now, after an answer that did not stand; the same answer again is none. */
export function afterFormer(
  trace: DecisionTrace,
  { former = [] }: DecisionTrace,
  answer: FormerAnswer | null,
): DecisionTrace {
  const known = answer ? [...former, answer].slice(-maxFormer) : former;
  return known.length > 0 ? { ...trace, former: known } : trace;
}

/** The whole trace of a decision, in the form in which the audit endpoints show it. */
export interface DecisionTrace {
  source: ConversionSource;
  reported_at: string;
  occurred_at: string;
  signals: { click_id: string | null; promo_code: string | null };
  candidates: CandidateTrace[];
  /** The commission rule that matched; null for the programme's own terms or without a winner. */
  rule: string | null;
  terms: TermsTrace | null;
  /** The rules up to the one that matched. Absent in what an earlier release decided, as the two below. */
  rules?: RuleTrace[];
  /** Null for what is no payment, and without a winner. */
  customer_month?: number | null;
  payment_number?: number | null;
  fraud_rules: FraudFinding[];
  /** Oldest first; absent where the first answer stands. */
  former?: FormerAnswer[];
}

/** What the signals were found to be. */
export function candidateTraces(attribution: Attribution, occurred: Moment): CandidateTrace[] {
  return attribution.judgements.map((judgement) => {
    const { candidate } = judgement;
    return {
      signal: judgement.kind,
      outcome: judgement.failure ?? 'HOLDS',
      program: candidate && {
        id: candidate.programId,
        status: candidate.programStatus,
      },
      participant: candidate && {
        id: candidate.participantId,
        status: candidate.participantStatus,
        erased: candidate.erased,
      },
      window: windowTrace(judgement, occurred),
      customer: customerTrace(judgement, occurred),
    };
  });
}

function windowTrace(judgement: Judgement, occurred: Moment): WindowTrace | null {
  if (judgement.kind !== 'click' || !judgement.candidate) return null;
  const { clickedAt, windowEndsAt } = judgement.candidate;
  return {
    clicked_at: clickedAt.toISOString(),
    occurred_at: occurred.at.toISOString(),
    window_ends_at: windowEndsAt.toISOString(),
    seconds_since_click: secondsBetween(clickedAt, occurred.at),
    seconds_to_end: secondsBetween(occurred.at, windowEndsAt),
    inside: clickedAt <= occurred.until && occurred.at <= windowEndsAt,
  };
}

function customerTrace(judgement: Judgement, occurred: Moment): CustomerTrace | null {
  if (judgement.kind !== 'customer') return null;
  const { source, boundAt, firstPaidAt } = judgement.candidate;
  return {
    source,
    bound_at: boundAt.toISOString(),
    first_paid_at: firstPaidAt?.toISOString() ?? null,
    months: firstPaidAt ? wholeMonthsBetween(firstPaidAt, occurred.at) : 0,
  };
}

/** How a sale or a sign-up was attributed, as clients see it and as it is kept. */
export interface AttributionObject {
  reason: AttributionReason;
  explanation: string;
  matched_by: MatchKind | null;
  click_id: string | null;
  promo_code: string | null;
  program_id: string | null;
  participant_id: string | null;
  window_ends_at: string | null;
}
