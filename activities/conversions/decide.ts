import type { Commission } from '../../entities/tables/commissions/commission.entity';
import { AppError } from '../../entities/errors';
import {
  attribute,
  canEarn,
  explain,
  momentOf,
  type Attribution,
  type AttributionReason,
  type Candidate,
  type ClickCandidate,
  type CodeCandidate,
  type ConversionSource,
  type Moment,
} from '../../entities/rules/attribution/attribute';
import { resolveTerms, type PinnedTerms } from '../../entities/rules/commissions/amount';
import {
  candidateTraces,
  secondsBetween,
  termsTrace,
  type ConversionMetadata,
  type DecisionTrace,
} from '../../entities/rules/attribution/conversion';
import {
  canonicalEmail,
  fraudSettingsOf,
  isBrowser,
  judgeFraud,
  strictestAction,
  type FraudFacts,
  type FraudFinding,
} from '../../entities/rules/fraud/fraud';
import type { Scope } from '../../entities/rules/values/mode';
import { renewalEarns } from '../../entities/rules/stripe/renewal';
import type { CommissionChange } from '../commissions/commission-change';
import { planCommission } from '../commissions/new-commission';
import type { CandidateFacts, ConversionFacts } from './read-signals';
import type { ConversionCommission, ConversionRecord } from './conversion';
import { isDisposableEmail } from './disposable-email';

/** A purchase as it is reported, by a merchant's server or read off a processor's event. */
export interface ConversionReport {
  source: ConversionSource;
  externalTransactionId: string;
  /** Further ids of the same payment: none of them can be reported again. */
  aliases: string[];
  eventType: string;
  /** Minor units. */
  amountCents: number;
  /** Lower case; null only when there is no amount. */
  currency: string | null;
  /** Null: now. A processor's time is in whole seconds and may be ahead of our clock. */
  occurredAt: Date | null;
  clickId: string | null;
  promoCode: string | null;
  /** The buyer's address in plain, for the fraud rules only, and its keyed hash, which is kept. */
  prospect: { email: string; hash: string } | null;
  customerId: string | null;
  metadata: ConversionMetadata | null;
  /** The processor's fee, null while it is not known. */
  feeCents: number | null;
  /** A renewal: credited to the partner of the customer's first payment, without signal or window. */
  credit: RenewalCredit | null;
  /** When the buyer went through the checkout, if that is known: the moment for the click's window. */
  checkedOutAt?: Date | null;
}

/** Whom a renewal goes to. It earns while the programme's recurring terms say so. */
export interface RenewalCredit {
  participantId: string;
  /** When the months of recurring terms begin to count. */
  firstPaidAt: Date;
  /** Why the first payment was refused; then its renewals are too. */
  refusal: AttributionReason | null;
}

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
}

export interface PlanInput {
  scope: Scope;
  report: ConversionReport;
  facts: ConversionFacts;
  /** Of the new conversion. */
  id: string;
  now: Date;
}

/** Who is credited and what follows, before fraud and money. */
interface Decision {
  reason: AttributionReason;
  attribution: Attribution | null;
  /** Whom the deciding signal leads to, credited or not. */
  lead: CandidateFacts | null;
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
  const decision = input.report.credit ? decideCredit(input) : decideSignals(input);
  const findings = judge(input, decision);
  const action = strictestAction(findings.list);
  const reason = action === 'reject' ? 'FRAUD_REJECTED' : decision.reason;
  const final = { ...decision, reason };

  const terms = reason === 'ATTRIBUTED' ? termsOf(input, decision) : null;
  const isHeld = action === 'hold';
  const commission = terms && commissionOf(input, final, { terms, isHeld });
  return {
    scope: input.scope,
    record: conversionOf(input, final, commission),
    aliases: aliasesOf(input.report),
    prospectHash: input.report.prospect?.hash ?? null,
    linkId: decidingClickOf(decision)?.linkId ?? null,
    trace: traceOf(input, final, { terms, findings: findings.list }),
    facts: findings.facts,
    flags: findings.list.filter((finding) => finding.hit),
    commission,
    firstOf: commission && firstOf(decision.lead),
  };
}

/** The click that decided, where one did and not a code. */
function decidingClickOf({ attribution, lead }: Decision): CandidateFacts['click'] | null {
  return attribution?.decisive.kind === 'click' && lead ? lead.click : null;
}

function firstOf(lead: CandidateFacts | null): ConversionPlan['firstOf'] {
  if (!lead || lead.program.hasCommissions) return null;
  return { programId: lead.program.id, currency: lead.program.currency };
}

/** Every id of the payment, once, in one order: two reports lock them alike. */
export function aliasesOf(
  report: Pick<ConversionReport, 'externalTransactionId' | 'aliases'>,
): string[] {
  return [...new Set([report.externalTransactionId, ...report.aliases])].sort();
}

/** NO_ATTRIBUTION_SIGNAL, when there is nothing to attribute by. */
export function assertSignal(report: ConversionReport): void {
  if (report.clickId === null && report.promoCode === null && report.credit === null) {
    throw new AppError('NO_ATTRIBUTION_SIGNAL');
  }
}

function decideSignals({ report, facts, now }: PlanInput): Decision {
  const occurred = momentOf(report.occurredAt, report.source, now);
  const judged = { ...occurred, at: earlier(report.checkedOutAt ?? occurred.at, occurred.at) };
  const { click, code } = facts;
  const attribution = attribute({
    clickId: report.clickId,
    promoCode: report.promoCode,
    click: click?.click ? clickCandidateOf(click, click.click) : null,
    code: code && codeCandidateOf(code),
    occurred: judged,
  });
  const { reason, decisive } = attribution;
  const found = decisive.kind === 'click' ? click : code;
  const lead = decisive.candidate && found;
  return { reason, attribution, lead, occurred, judged, earns: true };
}

/** A checkout precedes its payment, also when one of the two comes from a test clock. */
function earlier(a: Date, b: Date): Date {
  return a < b ? a : b;
}

function decideCredit({ report, facts, now }: PlanInput): Decision {
  const lead = facts.credit;
  if (!report.credit || !lead) throw new Error('the partner of the first payment is gone');
  const occurred = momentOf(report.occurredAt, report.source, now);
  const { firstPaidAt, refusal } = report.credit;
  const earns =
    canEarn(candidateOf(lead)) && renewalEarns(lead.program.terms, firstPaidAt, occurred.at);
  const reason = refusal ?? 'ATTRIBUTED';
  return { reason, attribution: null, lead, occurred, judged: occurred, earns };
}

function candidateOf({ program, participant }: CandidateFacts): Candidate {
  return {
    programId: program.id,
    programStatus: program.status,
    participantId: participant.id,
    participantStatus: participant.status,
    erased: participant.erased,
  };
}

function clickCandidateOf(
  facts: CandidateFacts,
  click: NonNullable<CandidateFacts['click']>,
): ClickCandidate {
  return {
    ...candidateOf(facts),
    clickId: click.id,
    linkId: click.linkId,
    clickedAt: click.clickedAt,
    windowEndsAt: click.windowEndsAt,
    creditable: click.creditable,
  };
}

function codeCandidateOf(facts: CandidateFacts): CodeCandidate {
  return { ...candidateOf(facts), code: facts.code ?? '' };
}

/** Fraud is judged last, on the winner; a renewal was judged with its first payment. */
function judge(
  { report }: PlanInput,
  { reason, attribution, lead, occurred }: Decision,
): { facts: FraudFacts | null; list: FraudFinding[] } {
  if (reason !== 'ATTRIBUTED' || !attribution || !lead) return { facts: null, list: [] };
  const facts = fraudFactsOf(report, lead, occurred);
  return { facts, list: judgeFraud(fraudSettingsOf(lead.fraudSettings), facts) };
}

function fraudFactsOf(
  { prospect, customerId }: ConversionReport,
  lead: CandidateFacts,
  occurred: Moment,
): FraudFacts {
  return {
    ...clickFactsOf(lead, occurred),
    emailIsPartners:
      prospect && canonicalEmail(prospect.email) === canonicalEmail(lead.participant.email),
    emailIsDisposable: prospect && isDisposableEmail(prospect.email),
    customerIsAnothersToo: prospect || customerId ? lead.customerIsAnothersToo : null,
    refunded: lead.refunded,
    conversions: lead.conversions,
  };
}

function clickFactsOf(
  { click, ipIsPartners, clicksFromIp }: CandidateFacts,
  occurred: Moment,
): Pick<FraudFacts, 'ipIsPartners' | 'clicksFromIp' | 'secondsFromClick' | 'clickIsBots'> {
  const hasIp = Boolean(click?.ipHash);
  return {
    ipIsPartners: hasIp ? ipIsPartners : null,
    clicksFromIp: hasIp ? clicksFromIp : null,
    secondsFromClick: click && Math.max(0, secondsBetween(click.clickedAt, occurred.at)),
    clickIsBots: click && !isBrowser(click.userAgent),
  };
}

/** What the programme offers for this sale, also when the sale then earns nothing. */
function termsOf({ report }: PlanInput, { lead }: Decision): PinnedTerms | null {
  if (!lead) return null;
  const { eventType, currency, amountCents } = report;
  const participantId = lead.participant.id;
  return resolveTerms(lead.program, { eventType, participantId, currency, amountCents });
}

function commissionOf(
  { scope, report, id, now }: PlanInput,
  { lead, earns }: Decision,
  { terms, isHeld }: { terms: PinnedTerms; isHeld: boolean },
): CommissionChange | null {
  if (!lead || !earns) return null;
  const { amountCents, currency, externalTransactionId, feeCents } = report;
  const change = planCommission(
    {
      scope,
      conversion: { id, externalTransactionId, amountCents, currency },
      program: lead.program,
      participantId: lead.participant.id,
      terms,
      reviewReasons: isHeld ? ['FRAUD_SUSPECTED'] : [],
      feeCents,
    },
    now,
  );
  return change ?? null;
}

function conversionOf(
  { scope, report, id, facts, now }: PlanInput,
  decision: Decision,
  commission: CommissionChange | null,
): ConversionRecord {
  return {
    ...creditOf(decision),
    ...signalsOf(report, facts),
    id,
    mode: scope.mode,
    externalTransactionId: report.externalTransactionId,
    source: report.source,
    eventType: report.eventType,
    amountCents: report.amountCents,
    currency: report.currency,
    occurredAt: decision.occurred.at,
    customerId: report.customerId,
    metadata: report.metadata,
    refundedAmountCents: 0,
    createdAt: now,
    commission: commission && commissionSummary(commission.commission),
  };
}

function creditOf(
  decision: Decision,
): Pick<
  ConversionRecord,
  | 'attributed'
  | 'reason'
  | 'explanation'
  | 'matchedBy'
  | 'programId'
  | 'participantId'
  | 'windowEndsAt'
> {
  const { reason, attribution, lead } = decision;
  return {
    attributed: reason === 'ATTRIBUTED',
    reason,
    explanation: explain(reason, attribution),
    matchedBy: lead && attribution ? attribution.decisive.kind : null,
    programId: lead?.program.id ?? null,
    participantId: lead?.participant.id ?? null,
    windowEndsAt: decidingClickOf(decision)?.windowEndsAt ?? null,
  };
}

/** Resolved signals in their own spelling; any other text as it was reported. */
function signalsOf(
  { clickId, promoCode }: ConversionReport,
  { click, code }: ConversionFacts,
): Pick<ConversionRecord, 'clickId' | 'promoCode'> {
  return {
    clickId: clickId && (click?.click?.id ?? clickId),
    promoCode: promoCode && (code?.code ?? promoCode),
  };
}

function commissionSummary(commission: Commission): ConversionCommission {
  const { id, status, amountCents, currency, holdUntil, needsReview } = commission;
  return { id, status, amountCents, currency, holdUntil, needsReview };
}

function traceOf(
  { report, now }: PlanInput,
  { attribution, occurred, judged }: Decision,
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
