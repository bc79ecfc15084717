import {
  attribute,
  canEarn,
  explain,
  hasSignal,
  momentOf,
  type Attribution,
  type AttributionInput,
  type AttributionReason,
  type Candidate,
  type ClickCandidate,
  type CustomerCandidate,
  type Moment,
} from '../../entities/rules/attribution/attribute';
import {
  candidateTraces,
  termsTrace,
  type DecisionTrace,
} from '../../entities/rules/attribution/conversion';
import { resolveTerms, type PinnedTerms } from '../../entities/rules/commissions/amount';
import { fraudFactsOf } from '../../entities/rules/fraud/facts';
import {
  fraudSettingsOf,
  judgeFraud,
  strictestAction,
  type FraudAction,
  type FraudFacts,
  type FraudFinding,
} from '../../entities/rules/fraud/fraud';
import { customerPaymentEarns, renewalEarns } from '../../entities/rules/commissions/renewal';
import type { Scope } from '../../entities/rules/values/mode';
import type { CommissionChange } from '../commissions/commission-change';
import { planCommission } from '../commissions/plan';
import { newConversion, type ConversionRecord, type Credited } from './conversion';
import { isDisposableEmail } from './disposable-email';
import { isOfNewCustomer, planCustomer, type CustomerPlan } from './customer-plan';
import type { CandidateFacts, ConversionFacts, KnownCustomer } from './read-signals';
import { aliasesOf, type ConversionReport } from './report';

/** All that recording a conversion will write; nothing of it is written yet. */
export interface ConversionPlan {
  scope: Scope;
  record: ConversionRecord;
  aliases: string[];
  prospectHash: string | null;
  linkId: string | null;
  trace: DecisionTrace;
  /** What the fraud rules saw; null when there was no winner to judge. */
  facts: FraudFacts | null;
  /** The rules that hit. */
  flags: FraudFinding[];
  commission: CommissionChange | null;
  /** The programme whose first commission this is, and the currency that it was planned in. */
  firstOf: { programId: string; currency: string } | null;
  /** What is to be kept of the customer; null when nothing is. */
  customer: CustomerPlan | null;
  isOfNewCustomer: boolean;
  requestId: string | null;
}

export interface PlanInput {
  scope: Scope;
  report: ConversionReport;
  facts: ConversionFacts;
  /** Of the new conversion. */
  id: string;
  now: Date;
  requestId?: string | undefined;
}

/** Who is credited and why, before fraud and money. */
interface Credit {
  reason: AttributionReason;
  attribution: Attribution | null;
  /** Whom the deciding signal leads to, credited or not. */
  candidate: CandidateFacts | null;
  occurred: Moment;
  /** What the signals were compared with. */
  judged: Moment;
  earns: boolean;
}

/**
 * Decides a report: attribution, fraud, commission. Pure but for the ids it makes; the dry run and
 * the real call share it. The caller has dealt with duplicates and other modes.
 */
export function planConversion(input: PlanInput): ConversionPlan {
  const credit = input.report.credit ? creditOfRenewal(input) : creditBySignals(input);
  const findings = judge(input, credit);
  const action = strictestAction(findings.list);
  const final = withVerdict(credit, action);
  const terms = final.reason === 'ATTRIBUTED' ? termsOf(input, credit) : null;
  const commission = terms && commissionOf(input, credit, { terms, isHeld: action === 'hold' });
  const record = newConversion(input, credited(final), commission);
  return {
    scope: input.scope,
    record,
    customer: planCustomer(input, record),
    isOfNewCustomer: isOfNewCustomer(input, record),
    aliases: aliasesOf(input.report),
    prospectHash: input.report.prospect?.hash ?? null,
    linkId: decidingClickOf(credit)?.linkId ?? null,
    trace: traceOf(input, final, { terms, findings: findings.list }),
    facts: findings.facts,
    flags: findings.list.filter((finding) => finding.hit),
    commission,
    firstOf: commission && firstOf(credit),
    requestId: input.requestId ?? null,
  };
}

/** How a sign-up is attributed: as a sale without an amount, of which nothing is to be written. */
export function planSignUp(input: PlanInput): ConversionRecord {
  const credit = creditBySignals(input);
  const { list } = judge(input, credit);
  return newConversion(input, credited(withVerdict(credit, strictestAction(list))), null);
}

function withVerdict(credit: Credit, action: FraudAction): Credit {
  return { ...credit, reason: action === 'reject' ? 'FRAUD_REJECTED' : credit.reason };
}

/** The click that decided, where one did and not a code. */
function decidingClickOf({ attribution, candidate }: Credit): CandidateFacts['click'] | null {
  return attribution?.decisive.kind === 'click' && candidate ? candidate.click : null;
}

function firstOf({ candidate }: Credit): ConversionPlan['firstOf'] {
  if (!candidate || candidate.program.hasCommissions) return null;
  return { programId: candidate.program.id, currency: candidate.program.currency };
}

/** Whether the report has anything to be attributed by, the customer's binding included. */
export function isAttributable(input: Pick<PlanInput, 'report' | 'facts' | 'now'>): boolean {
  return input.report.credit !== null || hasSignal(signalsOf(input).signals);
}

function creditBySignals(input: PlanInput): Credit {
  const { report, facts } = input;
  const { signals, occurred } = signalsOf(input);
  const attribution = attribute(signals);
  const { reason, decisive } = attribution;
  const { click, code, customer } = facts;
  const found = { click, promo_code: code, customer: customer?.binding?.facts ?? null };
  const candidate = decisive.candidate && found[decisive.kind];
  const earns =
    decisive.kind !== 'customer' ||
    customerPaymentEarns(found.customer?.program.terms ?? neverRecurring, {
      firstPaidAt: decisive.candidate.firstPaidAt,
      paidAt: occurred.at,
      amountCents: report.amountCents,
    });
  return { reason, attribution, candidate, occurred, judged: signals.occurred, earns };
}

const neverRecurring = { recurring: false, recurringMonths: null };

/** The signals as rules take them, and when the conversion happened. */
function signalsOf({ report, facts, now }: Pick<PlanInput, 'report' | 'facts' | 'now'>): {
  signals: AttributionInput;
  occurred: Moment;
} {
  const occurred = momentOf(report.occurredAt, report.source, now);
  const { click, code, customer } = facts;
  const signals = {
    clickId: report.clickId,
    promoCode: report.promoCode,
    click: click?.click ? clickCandidateOf(click, click.click, report) : null,
    code: code && { code: code.code ?? '', ...candidateOf(code, report) },
    customer: customer && customerCandidateOf(customer, report),
    occurred: { ...occurred, at: earlier(report.checkedOutAt ?? occurred.at, occurred.at) },
  };
  return { signals, occurred };
}

function customerCandidateOf(
  { binding, firstPaidAt }: KnownCustomer,
  report: ConversionReport,
): CustomerCandidate | null {
  if (!binding) return null;
  const { source: boundBy, boundAt, facts } = binding;
  return { source: boundBy, boundAt, firstPaidAt, ...candidateOf(facts, report) };
}

/** A checkout precedes its payment, also when one of the two comes from a test clock. */
function earlier(a: Date, b: Date): Date {
  return a < b ? a : b;
}

function creditOfRenewal({ report, facts, now }: PlanInput): Credit {
  const candidate = facts.credit;
  if (!report.credit || !candidate) throw new Error('the partner of the first payment is gone');
  const occurred = momentOf(report.occurredAt, report.source, now);
  const { firstPaidAt, refusal } = report.credit;
  const { terms } = candidate.program;
  const earns =
    canEarn(candidateOf(candidate, report)) && renewalEarns(terms, firstPaidAt, occurred.at);
  const reason = refusal ?? 'ATTRIBUTED';
  return { reason, attribution: null, candidate, occurred, judged: occurred, earns };
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
    // What Stripe tells of a programme that takes none of it is no conversion at all.
    soldElsewhere: source === 'api' && isSignUp !== true && program.salesFrom === 'stripe',
  };
}

function clickCandidateOf(
  facts: CandidateFacts,
  click: NonNullable<CandidateFacts['click']>,
  report: ConversionReport,
): ClickCandidate {
  const { id: clickId, linkId, clickedAt, windowEndsAt, creditable } = click;
  return { clickId, linkId, clickedAt, windowEndsAt, creditable, ...candidateOf(facts, report) };
}

/** Fraud is judged last, on the winner; a renewal was judged with its first payment. */
function judge(
  { report }: PlanInput,
  { reason, attribution, candidate, occurred }: Credit,
): { facts: FraudFacts | null; list: FraudFinding[] } {
  if (reason !== 'ATTRIBUTED' || !attribution || !candidate) return { facts: null, list: [] };
  if (isRenewal(attribution)) return { facts: null, list: [] };
  const { prospect, customerId } = report;
  const buyer = {
    prospect: prospect && {
      email: prospect.email,
      isDisposable: isDisposableEmail(prospect.email),
    },
    customerId,
    occurredAt: occurred.at,
  };
  const facts = fraudFactsOf(buyer, candidate);
  return { facts, list: judgeFraud(fraudSettingsOf(candidate.fraudSettings), facts) };
}

/** A payment by the customer alone, after their first. */
function isRenewal({ decisive }: Attribution): boolean {
  return decisive.kind === 'customer' && decisive.candidate.firstPaidAt !== null;
}

/** What the programme offers for this sale, also when the sale then earns nothing. */
function termsOf({ report }: PlanInput, { candidate }: Credit): PinnedTerms | null {
  if (!candidate) return null;
  const { eventType, currency, amountCents } = report;
  const participantId = candidate.participant.id;
  return resolveTerms(candidate.program, { eventType, participantId, currency, amountCents });
}

function commissionOf(
  { scope, report, facts, id, now, requestId }: PlanInput,
  { candidate, earns }: Credit,
  { terms, isHeld }: { terms: PinnedTerms; isHeld: boolean },
): CommissionChange | null {
  if (!candidate || !earns) return null;
  const { amountCents, currency, externalTransactionId, feeCents } = report;
  const isLikeAnother = facts.lookAlikes.includes(candidate.participant.id);
  const change = planCommission(
    {
      scope,
      conversion: { id, externalTransactionId, amountCents, currency },
      program: candidate.program,
      participantId: candidate.participant.id,
      terms,
      reviewReasons: [
        ...(isHeld ? (['FRAUD_SUSPECTED'] as const) : []),
        ...(isLikeAnother ? (['POSSIBLE_DUPLICATE'] as const) : []),
      ],
      feeCents,
    },
    { now, requestId },
  );
  return change ?? null;
}

function credited(credit: Credit): Credited {
  const { reason, attribution, candidate } = credit;
  return {
    occurredAt: credit.occurred.at,
    attributed: reason === 'ATTRIBUTED',
    reason,
    explanation: explain(reason, attribution),
    matchedBy: candidate && attribution ? attribution.decisive.kind : null,
    programId: candidate?.program.id ?? null,
    participantId: candidate?.participant.id ?? null,
    windowEndsAt: decidingClickOf(credit)?.windowEndsAt ?? null,
  };
}

function traceOf(
  { report, now }: PlanInput,
  { attribution, occurred, judged }: Credit,
  { terms, findings }: { terms: PinnedTerms | null; findings: FraudFinding[] },
): DecisionTrace {
  return {
    source: report.source,
    reported_at: now.toISOString(),
    occurred_at: occurred.at.toISOString(),
    signals: { click_id: report.clickId, promo_code: report.promoCode },
    candidates: attribution ? candidateTraces(attribution, judged) : [],
    rule: terms?.rule ?? null,
    terms: terms && termsTrace(terms),
    fraud_rules: findings,
  };
}
