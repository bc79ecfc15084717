import type { Binding } from '../customers/binding';
import { processorPrecisionMs } from '../values/duration';
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
  'SALES_FROM_BILLER',
  'BEFORE_CUTOVER',
  'FRAUD_REJECTED',
] as const;
export type AttributionReason = (typeof attributionReasons)[number];

export const signalKinds = ['click', 'promo_code', 'customer'] as const;
export type SignalKind = (typeof signalKinds)[number];

export const conversionSources = ['api', 'stripe', 'paddle', 'polar', 'import'] as const;
/** What a conversion may be credited by: a signal, or the word of the system before. */
export const matchKinds = [...signalKinds, 'import'] as const;
export type MatchKind = (typeof matchKinds)[number];

export type ConversionSource = (typeof conversionSources)[number];

/** A report that gives no time happened at its arrival; our own clocks may differ by this much. */
export const clockToleranceMs = 5 * 60_000;

/** Who a signal leads to, as they stand at the time of the report. */
export interface Candidate {
  programId: string;
  programStatus: ProgramStatus;
  participantId: string;
  participantStatus: ParticipantStatus;
  erased: boolean;
  /** The programme takes no sales from whoever reports this one. */
  soldElsewhere: 'SALES_FROM_STRIPE' | 'SALES_FROM_BILLER' | null;
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

/** A customer whom a partner has brought. */
export interface CustomerCandidate extends Candidate, Binding {
  /** The time of their first attributed payment. */
  firstPaidAt: Date | null;
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
  /** The candidate of the customer's binding, whenever it was made. */
  customer: CustomerCandidate | null;
  occurred: Moment;
}

/** One signal judged alone: `failure` is the first thing that is wrong with it. */
export type Judgement =
  | { kind: 'click'; candidate: ClickCandidate | null; failure: AttributionReason | null }
  | { kind: 'promo_code'; candidate: CodeCandidate | null; failure: AttributionReason | null }
  | { kind: 'customer'; candidate: CustomerCandidate; failure: AttributionReason | null };

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
  return { at: occurredAt, until: new Date(occurredAt.getTime() + processorPrecisionMs) };
}

/**
 * Which partner the signals of a report lead to, or why to none. Each signal is judged alone and a
 * failing one gives way to the next; a promo code beats the click of another partner. Expects a click or
 * a code, or a customer of a partner's. Fraud is judged afterwards, on the winner.
 */
export function attribute(input: AttributionInput): Attribution {
  const judged = judgementsOf(input);
  const decisive = decisiveOf(judged);
  if (!decisive) throw new Error('attribution needs a click, a promo code or a bound customer');
  return attributionOf(judged, decisive);
}

/**
 * The same where the customer's partner is to be credited, who brought them before this was paid: by
 * them, also where a signal of the report's own would hold by now. One that leads nowhere beside signals
 * that fail leaves the reason to these.
 */
export function attributeBeside(
  input: Omit<AttributionInput, 'customer'>,
  customer: CustomerCandidate,
): Attribution {
  const judged = judgementsOf({ ...input, customer });
  const decisive = decisiveOf(judged);
  const isOwn = decisive && decisive.kind !== 'customer' && decisive.failure !== null;
  return attributionOf(judged, isOwn ? decisive : judgeCustomer(customer));
}

type Judged = Record<SignalKindName, Judgement | null>;

function judgementsOf({
  clickId,
  promoCode,
  click,
  code,
  customer,
  occurred,
}: AttributionInput): Judged {
  return {
    click: clickId === null ? null : judgeClick(click, occurred),
    code: promoCode === null ? null : judgeCode(code),
    customer: customer && judgeCustomer(customer),
  };
}

function attributionOf({ click, code, customer }: Judged, decisive: Judgement): Attribution {
  const judgements = [click, code, customer].filter((judgement) => judgement !== null);
  return { reason: decisive.failure ?? 'ATTRIBUTED', decisive, judgements };
}

function decisiveOf(judged: Judged): Judgement | undefined {
  const { click, code, customer } = judged;
  const holds = (one: Judgement | null): one is Judgement => one !== null && one.failure === null;
  if (holds(click) && holds(code)) return isSamePartner(click, code) ? click : code;
  const failed = [click, code, customer].filter((one) => one !== null);
  return failed.find(holds) ?? lessUnknown(failed);
}

type SignalKindName = 'click' | 'code' | 'customer';

/** The first of those that fail, unless only a later one leads to a partner. */
function lessUnknown(failed: readonly Judgement[]): Judgement | undefined {
  return failed.find(({ candidate }) => candidate !== null) ?? failed[0];
}

function isSamePartner(click: Judgement, code: Judgement): boolean {
  return click.candidate?.participantId === code.candidate?.participantId;
}

function judgeClick(candidate: ClickCandidate | null, occurred: Moment): Judgement {
  return { kind: 'click', candidate, failure: clickFailure(candidate, occurred) };
}

function judgeCode(candidate: CodeCandidate | null): Judgement {
  const failure = candidate ? candidateFailure(candidate) : 'PROMO_CODE_NOT_FOUND';
  return { kind: 'promo_code', candidate, failure };
}

function judgeCustomer(candidate: CustomerCandidate): Judgement {
  return { kind: 'customer', candidate, failure: candidateFailure(candidate) };
}

/** Both ends of the window are inside it. */
function clickFailure(click: ClickCandidate | null, occurred: Moment): AttributionReason | null {
  if (!click) return 'CLICK_NOT_FOUND';
  if (click.clickedAt > occurred.until) return 'CLICK_AFTER_CONVERSION';
  if (occurred.at > click.windowEndsAt) return 'CLICK_EXPIRED';
  return candidateFailure(click, click.creditable);
}

/** Why nothing can be credited to this partner now; null when it can. */
export function candidateFailure(
  candidate: Candidate,
  creditable = true,
): AttributionReason | null {
  if (candidate.erased) return 'PARTNER_ERASED';
  if (!creditable || candidate.participantStatus !== 'approved') return 'PARTNER_NOT_APPROVED';
  if (candidate.programStatus !== 'active') return 'PROGRAM_NOT_ACTIVE';
  if (candidate.soldElsewhere !== null) return candidate.soldElsewhere;
  return null;
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
  SALES_FROM_BILLER: 'The programme takes its sales from its biller alone.',
  BEFORE_CUTOVER:
    'The customer was imported, and this was paid before the cutover: it is the old system’s.',
  FRAUD_REJECTED: 'A fraud rule of the programme rejects this conversion.',
};

/** The explanation of a conversion that an import brought along. */
export const importedExplanation = 'Credited by the system that it was imported from.';

/** A sentence for people; programs match on the reason instead. */
export function explain(reason: AttributionReason, attribution: Attribution | null): string {
  if (reason !== 'ATTRIBUTED') return explanations[reason];
  if (!attribution) return 'A renewal, credited to the partner of the first payment.';

  const { decisive, judgements } = attribution;
  const others = judgements.filter(({ kind }) => kind !== decisive.kind && kind !== 'customer');
  const credited = `Credited to the partner ${ofSignal[decisive.kind]}`;
  if (others.length === 0) return `${credited}.`;
  const failures = others.flatMap(({ kind, failure }) =>
    failure === null ? [] : [`the ${nameOf[kind]} did not count: ${failure}`],
  );
  if (failures.length > 0) return `${credited}; ${failures.join(', ')}.`;
  return decisive.kind === 'click'
    ? 'Credited to the partner whom both the click and the promo code name.'
    : 'Credited to the partner of the promo code, which wins over the click of another partner.';
}

const nameOf: Record<SignalKind, string> = {
  click: 'click',
  promo_code: 'promo code',
  customer: 'customer',
};

const ofSignal: Record<SignalKind, string> = {
  click: 'of the click',
  promo_code: 'of the promo code',
  customer: 'who brought the customer',
};
