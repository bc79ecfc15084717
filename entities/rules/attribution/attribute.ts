import type { ParticipantStatus } from '../partners/participant-status';
import type { ProgramStatus } from '../programs/terms';

export const attributionReasons = [
  'ATTRIBUTED',
  'CLICK_NOT_FOUND',
  'CLICK_EXPIRED',
  'CLICK_AFTER_CONVERSION',
  'PROMO_CODE_NOT_FOUND',
  'PARTNER_NOT_APPROVED',
  'PARTNER_ERASED',
  'PROGRAM_NOT_ACTIVE',
  'SALES_FROM_STRIPE',
  'FRAUD_REJECTED',
] as const;
export type AttributionReason = (typeof attributionReasons)[number];

export const signalKinds = ['click', 'promo_code'] as const;
export type SignalKind = (typeof signalKinds)[number];

export const conversionSources = ['api', 'stripe'] as const;
export type ConversionSource = (typeof conversionSources)[number];

/** A report that gives no time happened at its arrival; our own clocks may differ by this much. */
export const clockToleranceMs = 5 * 60_000;
/** Stripe gives whole seconds, so the payment lies anywhere within the second that it names. */
const stripePrecisionMs = 999;

/** Who a signal leads to, as they stand at the time of the report. */
export interface Candidate {
  programId: string;
  programStatus: ProgramStatus;
  participantId: string;
  participantStatus: ParticipantStatus;
  erased: boolean;
  /** The programme takes no sales from whoever reports this one. */
  soldElsewhere: boolean;
}

export interface ClickCandidate extends Candidate {
  clickId: string;
  linkId: string;
  clickedAt: Date;
  windowEndsAt: Date;
  /** Whether the partner was approved when the click was made. */
  creditable: boolean;
}

export interface CodeCandidate extends Candidate {
  code: string;
}

/**
 * The time of the conversion: `at` is what is stored; it cannot have happened later than `until`.
 */
export interface Moment {
  at: Date;
  until: Date;
}

/**
 * The signals of a report as they were sent (null when absent) and what each one was found to be.
 */
export interface AttributionInput {
  clickId: string | null;
  promoCode: string | null;
  click: ClickCandidate | null;
  code: CodeCandidate | null;
  occurred: Moment;
}

/** One signal judged alone: `failure` is the first thing that is wrong with it. */
export type Judgement =
  | { kind: 'click'; candidate: ClickCandidate | null; failure: AttributionReason | null }
  | { kind: 'promo_code'; candidate: CodeCandidate | null; failure: AttributionReason | null };

export interface Attribution {
  reason: AttributionReason;
  /** The signal that the reason speaks of; its candidate is null when it resolved to nothing. */
  decisive: Judgement;
  judgements: Judgement[];
}

/** The moment of a conversion that was reported at `now` (docs/reference/attribution.md, Time). */
export function momentOf(occurredAt: Date | null, source: ConversionSource, now: Date): Moment {
  if (!occurredAt) return { at: now, until: new Date(now.getTime() + clockToleranceMs) };
  if (source === 'api') return { at: occurredAt, until: occurredAt };
  return { at: occurredAt, until: new Date(occurredAt.getTime() + stripePrecisionMs) };
}

/**
 * Which partner a conversion is credited to, or why none. Each signal is judged alone and a failing
 * one gives way to the other; a promo code beats the click of another partner. Expects at least one
 * signal. Fraud is judged afterwards, on the winner.
 */
export function attribute(input: AttributionInput): Attribution {
  const click = input.clickId === null ? null : judgeClick(input.click, input.occurred);
  const code = input.promoCode === null ? null : judgeCode(input.code);

  const decisive = decisiveOf(click, code);
  if (!decisive) throw new Error('attribution needs a click or a promo code');

  const judgements = [click, code].filter((judgement) => judgement !== null);
  return { reason: decisive.failure ?? 'ATTRIBUTED', decisive, judgements };
}

function decisiveOf(click: Judgement | null, code: Judgement | null): Judgement | null {
  if (!click || !code) return click ?? code;
  if (click.failure && code.failure) return lessUnknown(click, code);
  if (click.failure) return code;
  return code.failure || isSamePartner(click, code) ? click : code;
}

/** Of two that fail: the click, unless only the code leads to a partner. */
function lessUnknown(click: Judgement, code: Judgement): Judgement {
  return click.candidate === null && code.candidate !== null ? code : click;
}

function isSamePartner(click: Judgement, code: Judgement): boolean {
  return click.candidate?.participantId === code.candidate?.participantId;
}

function judgeClick(candidate: ClickCandidate | null, occurred: Moment): Judgement {
  return { kind: 'click', candidate, failure: clickFailure(candidate, occurred) };
}

function judgeCode(candidate: CodeCandidate | null): Judgement {
  const failure = candidate ? candidateFailure(candidate, true) : 'PROMO_CODE_NOT_FOUND';
  return { kind: 'promo_code', candidate, failure };
}

/** Both ends of the window are inside it. */
function clickFailure(click: ClickCandidate | null, occurred: Moment): AttributionReason | null {
  if (!click) return 'CLICK_NOT_FOUND';
  if (click.clickedAt > occurred.until) return 'CLICK_AFTER_CONVERSION';
  if (occurred.at > click.windowEndsAt) return 'CLICK_EXPIRED';
  return candidateFailure(click, click.creditable);
}

function candidateFailure(candidate: Candidate, creditable: boolean): AttributionReason | null {
  if (candidate.erased) return 'PARTNER_ERASED';
  if (!creditable || candidate.participantStatus !== 'approved') return 'PARTNER_NOT_APPROVED';
  if (candidate.programStatus !== 'active') return 'PROGRAM_NOT_ACTIVE';
  if (candidate.soldElsewhere) return 'SALES_FROM_STRIPE';
  return null;
}

/**
 * Whether a partner who was credited before would earn from a renewal now
 * (docs/reference/payments.md, Renewals).
 */
export function canEarn(candidate: Candidate): boolean {
  return candidateFailure(candidate, true) === null;
}

const explanations: Record<Exclude<AttributionReason, 'ATTRIBUTED'>, string> = {
  CLICK_NOT_FOUND: 'No click with this click_id was recorded.',
  CLICK_EXPIRED: "The conversion happened after the end of the click's attribution window.",
  CLICK_AFTER_CONVERSION: 'The click was made after the conversion happened.',
  PROMO_CODE_NOT_FOUND: 'No partner has this promo code.',
  PARTNER_NOT_APPROVED: 'The partner is not, or was not at the click, approved in the programme.',
  PARTNER_ERASED: "The partner's personal data was erased, so nothing is credited any more.",
  PROGRAM_NOT_ACTIVE: 'The programme was not active when the conversion was reported.',
  SALES_FROM_STRIPE: 'The programme takes its sales from Stripe alone.',
  FRAUD_REJECTED: 'A fraud rule of the programme rejects this conversion.',
};

/** A sentence for people; programs match on the reason instead. */
export function explain(reason: AttributionReason, attribution: Attribution | null): string {
  if (reason !== 'ATTRIBUTED') return explanations[reason];
  if (!attribution) return 'A renewal, credited to the partner of the first payment.';

  const { decisive, judgements } = attribution;
  const own = decisive.kind === 'click' ? 'the click' : 'the promo code';
  const other = judgements.find((judgement) => judgement.kind !== decisive.kind);
  if (!other) return `Credited to the partner of ${own}.`;
  if (other.failure) {
    const passedOver = other.kind === 'click' ? 'click' : 'promo code';
    return `Credited to the partner of ${own}; the ${passedOver} did not count: ${other.failure}.`;
  }
  return decisive.kind === 'click'
    ? 'Credited to the partner whom both the click and the promo code name.'
    : 'Credited to the partner of the promo code, which wins over the click of another partner.';
}
