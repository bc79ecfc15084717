import { explain } from '../../entities/rules/attribution/attribute';
import {
  candidateTraces,
  termsTrace,
  type DecisionTrace,
} from '../../entities/rules/attribution/conversion';
import {
  judgeTerms,
  type JudgedTerms,
  type PinnedTerms,
} from '../../entities/rules/commissions/amount';
import {
  strictestAction,
  type FraudFacts,
  type FraudFinding,
} from '../../entities/rules/fraud/fraud';
import { creditedAs, type Payment } from '../../entities/rules/payments/credit';
import type { ReviewReason } from '../../entities/rules/commissions/review-reasons';
import type { Scope } from '../../entities/rules/values/mode';
import type { CommissionChange } from '../commissions/commission-change';
import { planCommission } from '../commissions/plan';
import { newConversion, type ConversionRecord, type Credited as CreditedRow } from './conversion';
import {
  creditByOwn,
  creditOfReport,
  ownAttribution,
  type Credited,
  type PlanInput,
} from './credit-of-report';
import {
  isOfNewCustomer,
  planCustomer,
  restsOn,
  type CustomerPlan,
  type SeenCustomer,
} from './customer-plan';
import { judge, withVerdict } from './judge-fraud';
import { twinOf, type Twin } from './look-alikes';
import type { CandidateFacts } from './read-signals';
import { aliasesOf, type ConversionReport } from './report';
import { arrivalOf } from './terms-of-arrival';

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
  /** A customer of whom nothing is kept, but what was read of them must still hold. */
  restsOn: SeenCustomer | null;
  isOfNewCustomer: boolean;
  /** What another source may tell as well; looked for once more as it is written. */
  twin: Twin | null;
  requestId: string | null;
}

/**
 * Decides a report: attribution, fraud, commission. Pure but for the ids it makes; the dry run and
 * the real call share it. The caller has dealt with duplicates and other modes.
 */
export function planConversion(input: PlanInput): ConversionPlan {
  const credit = creditOfReport(input);
  const findings = judge(input, credit);
  const action = strictestAction(findings.list);
  const final = withVerdict(credit, action);
  const judged = final.reason === 'ATTRIBUTED' ? termsOf(input, credit) : null;
  const isHeld = action === 'hold';
  const commission = judged && commissionOf(input, credit, { judged, isHeld });
  const record = newConversion(input, credited(input, final), commission);
  const customer = planCustomer(input, { record, payment: credit.payment });
  return {
    ...factsOf(input),
    record,
    customer,
    restsOn: restsOn(input, customer),
    isOfNewCustomer: isOfNewCustomer(input, record),
    twin: commission && credit.candidate && twinOf(input, credit.candidate),
    linkId: decidingClickOf(credit)?.linkId ?? null,
    trace: traceOf(input, final, { judged, findings: findings.list }),
    facts: findings.facts,
    flags: findings.list.filter((finding) => finding.hit),
    commission,
    firstOf: commission && firstOf(credit),
  };
}

/** The facts that the plan takes from the report as they are. */
function factsOf({ scope, report, requestId }: PlanInput) {
  const prospectHash = report.prospect?.hash ?? null;
  return { scope, aliases: aliasesOf(report), prospectHash, requestId: requestId ?? null };
}

/** How a sign-up is attributed: as a sale without an amount, of which nothing is to be written. */
export function planSignUp(input: PlanInput): ConversionRecord {
  const credit = creditByOwn(input, ownAttribution(input));
  const { list } = judge(input, credit);
  return newConversion(input, credited(input, withVerdict(credit, strictestAction(list))), null);
}

/** The click that decided, where one did and not a code. */
function decidingClickOf({ attribution, candidate }: Credited): CandidateFacts['click'] | null {
  return attribution?.decisive.kind === 'click' && candidate ? candidate.click : null;
}

function firstOf({ candidate }: Credited): ConversionPlan['firstOf'] {
  if (!candidate || candidate.program.hasCommissions) return null;
  return { programId: candidate.program.id, currency: candidate.program.currency };
}

/** What the programme offers for this sale, also when the sale then earns nothing. */
function termsOf({ report }: PlanInput, { candidate, rank }: Credited): JudgedTerms | null {
  if (!candidate) return null;
  const { eventType, currency, amountCents, metadata, items = null } = report;
  const participantId = candidate.participant.id;
  const sale = { eventType, participantId, currency, amountCents, items, metadata, rank };
  return judgeTerms(candidate.program, sale);
}

function commissionOf(
  { scope, report, facts, id, now, firstToldAt, requestId }: PlanInput,
  { candidate, earns }: Credited,
  { judged: { terms, lacksItems }, isHeld }: { judged: JudgedTerms; isHeld: boolean },
): CommissionChange | null {
  if (!candidate || !earns || isUnpaidPart(report, terms)) return null;
  const { amountCents, currency, externalTransactionId, feeCents } = report;
  const isLikeAnother = facts.lookAlikes.includes(candidate.participant.id);
  const change = planCommission(
    {
      scope,
      conversion: { id, externalTransactionId, amountCents, currency },
      program: candidate.program,
      participantId: candidate.participant.id,
      terms,
      reviewReasons: flagsOf(report, { isHeld, isLikeAnother, lacksItems }),
      feeCents,
      arrivedAt: arrivalOf({ report, firstToldAt, now }),
    },
    { now, requestId },
  );
  return change ?? null;
}

interface Doubts {
  isHeld: boolean;
  isLikeAnother: boolean;
  lacksItems: boolean;
}

/** The reasons for a person to review it, beside what follows from the money. */
function flagsOf(
  { awaitsItems }: ConversionReport,
  { isHeld, isLikeAnother, lacksItems }: Doubts,
): ReviewReason[] {
  return [
    ...(isHeld ? (['FRAUD_SUSPECTED'] as const) : []),
    ...(isLikeAnother ? (['POSSIBLE_DUPLICATE'] as const) : []),
    ...(lacksItems && awaitsItems ? (['ITEMS_UNKNOWN'] as const) : []),
  ];
}

/** Flat terms pay a period as a whole, once. */
function isUnpaidPart({ credit }: ConversionReport, { type }: PinnedTerms): boolean {
  return type === 'flat' && credit !== null && credit.isPart;
}

function credited(input: PlanInput, credit: Credited): CreditedRow {
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
    creditedAs: creditedAs(finalOf(credit), credit.credit, {
      rank: reason === 'ATTRIBUTED' ? credit.rank : null,
      sold: credit.sold,
      arrivedAt: arrivalOf(input),
    }),
  };
}

/** The payment with what the fraud rules made of its own signals. */
function finalOf({ payment, reason }: Credited): Payment {
  return { ...payment, own: payment.own && { ...payment.own, reason } };
}

function traceOf(
  { report, now }: PlanInput,
  { attribution, occurred, judged: moment }: Credited,
  { judged, findings }: { judged: JudgedTerms | null; findings: FraudFinding[] },
): DecisionTrace {
  return {
    source: report.source,
    reported_at: now.toISOString(),
    occurred_at: occurred.at.toISOString(),
    signals: { click_id: report.clickId, promo_code: report.promoCode },
    candidates: attribution ? candidateTraces(attribution, moment) : [],
    ...judgedTrace(judged),
    fraud_rules: findings,
  };
}

type JudgedTrace = 'rule' | 'terms' | 'rules' | 'customer_month' | 'payment_number';

/** The rules that were checked, and what they found; nothing where nobody is credited. */
function judgedTrace(judged: JudgedTerms | null): Pick<DecisionTrace, JudgedTrace> {
  if (!judged) {
    return { rule: null, terms: null, rules: [], customer_month: null, payment_number: null };
  }
  const { terms, rules } = judged;
  const { rule, customerMonth, paymentNumber } = terms;
  return {
    ...{ rule, terms: termsTrace(terms), rules },
    customer_month: customerMonth,
    payment_number: paymentNumber,
  };
}
