import { fraudFactsOf } from '../../entities/rules/fraud/facts';
import {
  fraudSettingsOf,
  judgeFraud,
  strictestAction,
  type FraudAction,
  type FraudFacts,
  type FraudFinding,
} from '../../entities/rules/fraud/fraud';
import type { Verdict } from '../../entities/rules/payments/credit';
import {
  creditByOwn,
  ownAttribution,
  verdictOf,
  type Credited,
  type PlanInput,
} from './credit-of-report';
import { isDisposableEmail } from './disposable-email';

/** What the report's own signals lead to, fraud included; null when it has none. Statuses are those of now. */
export function ownVerdict(input: PlanInput): Verdict | null {
  const attribution = ownAttribution(input);
  if (!attribution) return null;
  const credit = creditByOwn(input, attribution);
  const { list } = judge(input, credit);
  return { ...verdictOf(attribution), reason: withVerdict(credit, strictestAction(list)).reason };
}

/**
 * Fraud is judged last, on the winner: when a payment is first told, and not again where its credit
 * changes. A renewal was judged with its first payment.
 */
export function judge(
  { report }: PlanInput,
  { reason, attribution, candidate, occurred, isRenewal }: Credited,
): { facts: FraudFacts | null; list: FraudFinding[] } {
  const isJudged = report.credit !== null && report.credit.stands !== null;
  if (reason !== 'ATTRIBUTED' || !attribution || !candidate || isRenewal || isJudged) {
    return { facts: null, list: [] };
  }
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

/** What fraud made of a credit. */
export function withVerdict(credit: Credited, action: FraudAction): Credited {
  return { ...credit, reason: action === 'reject' ? 'FRAUD_REJECTED' : credit.reason };
}
