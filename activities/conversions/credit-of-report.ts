import {
  attribute,
  attributeBeside,
  candidateFailure,
  momentOf,
  type Attribution,
  type AttributionInput,
  type AttributionReason,
  type Candidate,
  type ClickCandidate,
  type Moment,
} from '../../entities/rules/attribution/attribute';
import type { PaymentRank } from '../../entities/rules/commissions/rule-match';
import { ownTermsOf } from '../../entities/rules/commissions/amount';
import { paymentEarns } from '../../entities/rules/commissions/renewal';
import {
  creditOf,
  nothingSold,
  rankAfter,
  type Credit,
  type Payment,
  type Renewed,
  type Sold,
  type Verdict,
} from '../../entities/rules/payments/credit';
import type { SalesFrom } from '../../entities/rules/programs/terms';
import type { Scope } from '../../entities/rules/values/mode';
import { beforeLatest, reportedPayment } from './known-customer';
import type { CandidateFacts, ConversionFacts } from './read-signals';
import type { ConversionReport, DecidedCredit } from './report';

export interface PlanInput {
  scope: Scope;
  report: ConversionReport;
  facts: ConversionFacts;
  /** The new conversion's. */
  id: string;
  now: Date;
  /** The time at which a biller first told of the payment, where that was before the report. */
  firstToldAt?: Date | undefined;
  requestId?: string | undefined;
}

/** Who is credited and why, before fraud and money. */
export interface Credited {
  reason: AttributionReason;
  attribution: Attribution | null;
  /** Whom the deciding signal leads to, credited or not. */
  candidate: CandidateFacts | null;
  occurred: Moment;
  /** What the signals were compared with. */
  judged: Moment;
  earns: boolean;
  /** Nothing of its own credits it, and it is not the customer's first payment. */
  isRenewal: boolean;
  payment: Payment;
  credit: DecidedCredit['credit'];
  /** Which payment of its customer it is; null for what is none. */
  rank: PaymentRank | null;
  /** The digest of the items that a processor says were sold. */
  sold: Sold;
}

/** Whether the report has anything to be attributed by, the customer's binding included. */
export function isAttributable(input: PlanInput): boolean {
  const { credit, clickId, promoCode } = input.report;
  if (credit !== null || clickId !== null || promoCode !== null) return true;
  return quickCredit(input, null).kind === 'renewed';
}

/** An attribution as the rule of all payments takes it. */
export function verdictOf({ reason, decisive: { candidate } }: Attribution): Verdict {
  const { participantId = null, programId = null } = candidate ?? {};
  return { reason, participantId, programId };
}

/** The credit, by the rule of all payments, of one that is its customer's latest. */
function quickCredit(input: PlanInput, own: Attribution | null): Credit {
  const { customer } = input.facts;
  return creditOf(paymentOf(input, own), beforeLatest(customer));
}

function paymentOf(input: PlanInput, own: Attribution | null): Payment {
  const verdict = input.report.credit?.stands?.verdict ?? (own && verdictOf(own));
  const payment = reportedPayment(input, { occurred: occurredOf(input), verdict });
  return { ...payment, periodAt: input.report.credit?.periodAt ?? payment.periodAt };
}

/** Who is credited with a report: by its own signals, else by what is known of its customer. */
export function creditOfReport(input: PlanInput): Credited {
  const own = ownAttribution(input);
  const credit = input.report.credit?.credit ?? quickCredit(input, own);
  if (credit.kind === 'renewed') return creditTo(input, { credit, own });
  if (credit.kind === 'own') return creditByOwn(input, own);
  throw new Error('a report that nobody is credited with');
}

function occurredOf({ report, now }: Pick<PlanInput, 'report' | 'now'>): Moment {
  return momentOf(report.occurredAt, report.source, now);
}

/** The credit by signals of its own, whether they lead to a partner or not. */
export function creditByOwn(input: PlanInput, attribution: Attribution | null): Credited {
  if (!attribution) throw new Error('a report without a signal of its own');
  const { facts, report } = input;
  const { decisive } = attribution;
  const found = { click: facts.click, promo_code: facts.code, customer: null };
  const candidate = decisive.candidate && found[decisive.kind];
  return {
    reason: report.credit?.stands?.verdict?.reason ?? attribution.reason,
    attribution,
    candidate,
    occurred: occurredOf(input),
    judged: signalsOf(input).occurred,
    earns: true,
    isRenewal: false,
    payment: paymentOf(input, attribution),
    credit: { kind: 'own' },
    rank: rankOf(input, candidate),
    sold: report.credit?.sold ?? nothingSold,
  };
}

/** Click and code alone; null when the report has neither. */
export function ownAttribution(input: PlanInput): Attribution | null {
  const signals = signalsOf(input);
  if (signals.clickId === null && signals.promoCode === null) return null;
  return attribute(signals);
}

/** The signals as rules take them, compared with the moment of the checkout where that is known. */
function signalsOf(input: Pick<PlanInput, 'report' | 'facts' | 'now'>): AttributionInput {
  const { report, facts } = input;
  const occurred = occurredOf(input);
  const { click, code } = facts;
  return {
    clickId: report.clickId,
    promoCode: report.promoCode,
    click: click?.click ? clickCandidateOf(click, click.click, report) : null,
    code: code && { code: code.code ?? '', ...candidateOf(code, report) },
    customer: null,
    occurred: { ...occurred, at: earlier(report.checkedOutAt ?? occurred.at, occurred.at) },
  };
}

/** A checkout precedes its payment, also when one of the two comes from a test clock. */
function earlier(a: Date, b: Date): Date {
  return a < b ? a : b;
}

/** The credit without a signal of its own: to whom the subscription's first payment, or the customer, leads. */
function creditTo(
  input: PlanInput,
  { credit, own }: { credit: Renewed; own: Attribution | null },
): Credited {
  const candidate = creditedCandidate(input, credit);
  const payment = paymentOf(input, own);
  const attribution = credit.by === 'customer' ? byCustomer(input, { credit, candidate }) : null;
  const terms = ownTermsOf(candidate.program);
  const isGood = candidateFailure(candidateOf(candidate, input.report)) === null;
  const { click, code } = input.facts;
  const found = { click, promo_code: code, customer: candidate };
  return {
    reason: credit.refusal ?? attribution?.reason ?? 'ATTRIBUTED',
    attribution,
    candidate: attribution ? found[attribution.decisive.kind] : candidate,
    occurred: occurredOf(input),
    judged: signalsOf(input).occurred,
    earns: isGood && paymentEarns(terms, { first: credit.first, ...payment }),
    isRenewal: credit.first !== null,
    payment,
    credit,
    rank: rankOf(input, candidate),
    sold: input.report.credit?.sold ?? nothingSold,
  };
}

/** Its rank by a timeline, else by what is stored of the customer of whom it is the latest payment. */
function rankOf(input: PlanInput, candidate: CandidateFacts | null): PaymentRank | null {
  const { credit } = input.report;
  if (credit) return credit.rank;
  if (!candidate) return null;
  const first = beforeLatest(input.facts.customer).firsts.get(candidate.program.id) ?? null;
  return rankAfter(paymentOf(input, null), first);
}

/** Status is asked when the payment is first told: of the partner of before it is not asked again, good or not. */
function creditedCandidate(
  { facts, report }: PlanInput,
  { participantId }: Renewed,
): CandidateFacts {
  const found = [facts.credit, facts.customer?.binding?.facts ?? null];
  const candidate = found.find((one) => one?.participant.id === participantId);
  if (!candidate) throw new Error('the partner of the first payment is gone');
  const stands = report.credit?.stands;
  const then = stands?.participantId === participantId ? statusBy[stands.reason] : undefined;
  if (!then) return candidate;
  return {
    ...candidate,
    program: { ...candidate.program, status: then.program },
    participant: { ...candidate.participant, status: then.participant, erased: false },
  };
}

interface Statuses {
  program: CandidateFacts['program']['status'];
  participant: CandidateFacts['participant']['status'];
}

/** The statuses that an answer tells of: an erased partner stays erased, and other answers tell of none. */
const statusBy: Partial<Record<AttributionReason, Statuses>> = {
  ATTRIBUTED: { program: 'active', participant: 'approved' },
  PARTNER_NOT_APPROVED: { program: 'active', participant: 'suspended' },
  PROGRAM_NOT_ACTIVE: { program: 'paused', participant: 'approved' },
};

/** The customer's binding decides; beside it the report's own signals are shown as they failed. */
function byCustomer(
  input: PlanInput,
  { credit, candidate }: { credit: Renewed; candidate: CandidateFacts },
): Attribution {
  const signals = signalsOf(input);
  return attributeBeside(signals, {
    source: credit.binding?.fact.source ?? 'stripe',
    boundAt: credit.binding?.fact.boundAt ?? signals.occurred.at,
    firstPaidAt: credit.first?.paidAt ?? null,
    ...candidateOf(candidate, input.report),
  });
}

function candidateOf(
  { program, participant }: CandidateFacts,
  { source, isSignUp }: ConversionReport,
): Candidate {
  return {
    programId: program.id,
    programStatus: program.status,
    participantId: participant.id,
    participantStatus: participant.status,
    erased: participant.erased,
    // Only a report is refused so: a sale at Stripe in a programme with salesFrom api is never recorded.
    soldElsewhere: source === 'api' && isSignUp !== true ? soldBy(program.salesFrom) : null,
  };
}

/** Why a report makes no sale of a programme that takes those of its biller alone. */
function soldBy(salesFrom: SalesFrom): Candidate['soldElsewhere'] {
  if (salesFrom === 'both' || salesFrom === 'api') return null;
  return salesFrom === 'stripe' ? 'SALES_FROM_STRIPE' : 'SALES_FROM_BILLER';
}

function clickCandidateOf(
  facts: CandidateFacts,
  click: NonNullable<CandidateFacts['click']>,
  report: ConversionReport,
): ClickCandidate {
  const { id: clickId, linkId, clickedAt, windowEndsAt, creditable } = click;
  return { clickId, linkId, clickedAt, windowEndsAt, creditable, ...candidateOf(facts, report) };
}
