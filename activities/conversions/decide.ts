import {
  attribute,
  canEarn,
  explain,
  momentOf,
  type Attribution,
  type AttributionReason,
  type Candidate,
  type ClickCandidate,
  type ConversionSource,
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
  type FraudFacts,
  type FraudFinding,
} from '../../entities/rules/fraud/fraud';
import { renewalEarns } from '../../entities/rules/stripe/renewal';
import type { Scope } from '../../entities/rules/values/mode';
import type { CommissionChange } from '../commissions/commission-change';
import { planCommission } from '../commissions/plan';
import { newConversion, type ConversionRecord, type Credited } from './conversion';
import { isDisposableEmail } from './disposable-email';
import type { CandidateFacts, ConversionFacts } from './read-signals';
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
}

export interface PlanInput {
  scope: Scope;
  report: ConversionReport;
  facts: ConversionFacts;
  /** Of the new conversion. */
  id: string;
  now: Date;
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
  const final: Credit = {
    ...credit,
    reason: action === 'reject' ? 'FRAUD_REJECTED' : credit.reason,
  };
  const terms = final.reason === 'ATTRIBUTED' ? termsOf(input, credit) : null;
  const commission = terms && commissionOf(input, credit, { terms, isHeld: action === 'hold' });
  return {
    scope: input.scope,
    record: newConversion(input, credited(final), commission),
    aliases: aliasesOf(input.report),
    prospectHash: input.report.prospect?.hash ?? null,
    linkId: decidingClickOf(credit)?.linkId ?? null,
    trace: traceOf(input, final, { terms, findings: findings.list }),
    facts: findings.facts,
    flags: findings.list.filter((finding) => finding.hit),
    commission,
    firstOf: commission && firstOf(credit),
  };
}

/** The click that decided, where one did and not a code. */
function decidingClickOf({ attribution, candidate }: Credit): CandidateFacts['click'] | null {
  return attribution?.decisive.kind === 'click' && candidate ? candidate.click : null;
}

function firstOf({ candidate }: Credit): ConversionPlan['firstOf'] {
  if (!candidate || candidate.program.hasCommissions) return null;
  return { programId: candidate.program.id, currency: candidate.program.currency };
}

function creditBySignals({ report, facts, now }: PlanInput): Credit {
  const occurred = momentOf(report.occurredAt, report.source, now);
  const judged = { ...occurred, at: earlier(report.checkedOutAt ?? occurred.at, occurred.at) };
  const { click, code } = facts;
  const attribution = attribute({
    clickId: report.clickId,
    promoCode: report.promoCode,
    click: click?.click ? clickCandidateOf(click, click.click, report.source) : null,
    code: code && { code: code.code ?? '', ...candidateOf(code, report.source) },
    occurred: judged,
  });
  const { reason, decisive } = attribution;
  const found = decisive.kind === 'click' ? click : code;
  const candidate = decisive.candidate && found;
  return { reason, attribution, candidate, occurred, judged, earns: true };
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
    canEarn(candidateOf(candidate, report.source)) && renewalEarns(terms, firstPaidAt, occurred.at);
  const reason = refusal ?? 'ATTRIBUTED';
  return { reason, attribution: null, candidate, occurred, judged: occurred, earns };
}

function candidateOf(
  { program, participant }: CandidateFacts,
  source: ConversionSource,
): Candidate {
  return {
    programId: program.id,
    programStatus: program.status,
    participantId: participant.id,
    participantStatus: participant.status,
    erased: participant.erased,
    // What Stripe tells of a programme that takes none of it is no conversion at all.
    soldElsewhere: source === 'api' && program.salesFrom === 'stripe',
  };
}

function clickCandidateOf(
  facts: CandidateFacts,
  click: NonNullable<CandidateFacts['click']>,
  source: ConversionSource,
): ClickCandidate {
  const { id: clickId, linkId, clickedAt, windowEndsAt, creditable } = click;
  return { clickId, linkId, clickedAt, windowEndsAt, creditable, ...candidateOf(facts, source) };
}

/** Fraud is judged last, on the winner; a renewal was judged with its first payment. */
function judge(
  { report }: PlanInput,
  { reason, attribution, candidate, occurred }: Credit,
): { facts: FraudFacts | null; list: FraudFinding[] } {
  if (reason !== 'ATTRIBUTED' || !attribution || !candidate) return { facts: null, list: [] };
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

/** What the programme offers for this sale, also when the sale then earns nothing. */
function termsOf({ report }: PlanInput, { candidate }: Credit): PinnedTerms | null {
  if (!candidate) return null;
  const { eventType, currency, amountCents } = report;
  const participantId = candidate.participant.id;
  return resolveTerms(candidate.program, { eventType, participantId, currency, amountCents });
}

function commissionOf(
  { scope, report, facts, id, now }: PlanInput,
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
    now,
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
