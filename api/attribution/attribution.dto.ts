import {
  attributionReasons,
  conversionSources,
  signalKinds,
} from '../../entities/rules/attribution/attribute';
import {
  creditFacts,
  type CandidateTrace,
  type CustomerTrace,
  type DecisionTrace,
  type FormerAnswer,
  type TermsTrace,
  type WindowTrace,
} from '../../entities/rules/attribution/conversion';
import type { RuleTrace } from '../../entities/rules/commissions/amount';
import { ruleConditions } from '../../entities/rules/commissions/rule-match';
import { bindingSources } from '../../entities/rules/customers/binding';
import { fraudActions, fraudRules, type FraudFinding } from '../../entities/rules/fraud/fraud';
import { participantStatuses } from '../../entities/rules/partners/participant-status';
import { commissionBases, ruleTypes, programStatuses } from '../../entities/rules/programs/terms';
import { ConversionDto, ConversionFilter, conversionExample } from '../conversions/conversions.dto';
import { AttributionOutcomeDto } from '../conversions/event-conversion.dto';
import {
  AnyText,
  Decimal,
  Flag,
  Instant,
  Int,
  Json,
  ListOf,
  Nested,
  OneOf,
  Text,
  Uuid,
} from '../http/contract/validators';

export class DecisionFilter extends ConversionFilter {
  @Text({ max: 1_000, trim: true, optional: true, description: 'As reported, found or not.' })
  click_id?: string;

  @Text({ max: 1_000, trim: true, optional: true, description: 'In any case.' })
  promo_code?: string;

  @OneOf(attributionReasons, { optional: true })
  reason?: string;
}

export class DecisionDto extends AttributionOutcomeDto {
  @Uuid()
  conversion_id!: string;

  @AnyText()
  external_transaction_id!: string;

  @Flag()
  attributed!: boolean;

  @Instant()
  created_at!: string;
}

class SignalsDto {
  @AnyText({ nullable: true })
  click_id!: string | null;

  @AnyText({ nullable: true })
  promo_code!: string | null;
}

class TracedProgramDto {
  @Uuid()
  id!: string;

  @OneOf(programStatuses, { description: 'At the time of the report.' })
  status!: string;
}

class TracedParticipantDto {
  @Uuid()
  id!: string;

  @OneOf(participantStatuses, { description: 'At the time of the report.' })
  status!: string;

  @Flag()
  erased!: boolean;
}

class WindowDto implements WindowTrace {
  @Instant()
  clicked_at!: string;

  @Instant()
  occurred_at!: string;

  @Instant()
  window_ends_at!: string;

  @Decimal({ description: 'Negative when the click came later.' })
  seconds_since_click!: number;

  @Decimal({ description: 'Negative when the window was over.' })
  seconds_to_end!: number;

  @Flag()
  inside!: boolean;
}

class TracedCustomerDto implements CustomerTrace {
  @OneOf(bindingSources, { description: 'What bound the customer to the partner.' })
  source!: CustomerTrace['source'];

  @Instant()
  bound_at!: string;

  @Instant({ nullable: true, description: 'Null when this is their first payment.' })
  first_paid_at!: string | null;

  @Int({ min: 0, description: 'Whole months since then, as recurring terms count them.' })
  months!: number;
}

class CandidateDto {
  @OneOf(signalKinds)
  signal!: CandidateTrace['signal'];

  @OneOf(['HOLDS', ...attributionReasons], {
    description: 'HOLDS, or the first thing that is wrong with this signal.',
  })
  outcome!: CandidateTrace['outcome'];

  @Nested(() => TracedProgramDto, { nullable: true })
  program!: TracedProgramDto | null;

  @Nested(() => TracedParticipantDto, { nullable: true })
  participant!: TracedParticipantDto | null;

  @Nested(() => WindowDto, { nullable: true })
  window!: WindowDto | null;

  @Nested(() => TracedCustomerDto, { nullable: true })
  customer!: TracedCustomerDto | null;
}

class DecisionTermsDto {
  @OneOf(ruleTypes)
  type!: TermsTrace['type'];

  @Int({ nullable: true })
  rate_bps!: number | null;

  @Int({ nullable: true })
  amount_cents!: number | null;

  @OneOf(commissionBases, { nullable: true })
  basis!: TermsTrace['basis'];

  @Flag()
  recurring!: boolean;

  @Int({ nullable: true })
  recurring_months!: number | null;

  @Int()
  hold_days!: number;

  @Flag()
  auto_approve!: boolean;
}

class RuleTraceDto {
  @AnyText()
  name!: string;

  @Flag()
  matched!: boolean;

  @OneOf(ruleConditions, {
    nullable: true,
    description: 'The first condition that does not hold; null for the rule that matched.',
  })
  failed!: RuleTrace['failed'];
}

class FraudFindingDto {
  @OneOf(fraudRules)
  rule!: FraudFinding['rule'];

  @OneOf(fraudActions)
  action!: FraudFinding['action'];

  @Flag()
  hit!: boolean;

  @Json({
    nullable: true,
    schema: { oneOf: [{ type: 'number' }, { type: 'boolean' }] },
    description: 'What was found; null when the rule is off or there is nothing to look at.',
  })
  value!: FraudFinding['value'];

  @Int({ nullable: true })
  threshold!: number | null;
}

class FormerAnswerDto implements FormerAnswer {
  @Instant({ description: 'When it was changed.' })
  until!: string;

  @OneOf(creditFacts, {
    description:
      'What changed it: what a biller told, a report, a sign-up, a member who said whose customer it is, or an operator.',
  })
  fact!: FormerAnswer['fact'];

  @Flag()
  attributed!: boolean;

  @OneOf(attributionReasons)
  reason!: FormerAnswer['reason'];

  @Uuid({ nullable: true })
  participant_id!: string | null;

  @Int({ description: 'What the sale came to, by what was known then.' })
  amount_cents!: number;
}

class DecisionTraceDto {
  @OneOf(conversionSources)
  source!: DecisionTrace['source'];

  @Instant()
  reported_at!: string;

  @Instant()
  occurred_at!: string;

  @Nested(() => SignalsDto, { description: 'As they were reported.' })
  signals!: SignalsDto;

  @ListOf(() => CandidateDto, { description: 'Each signal, judged alone.' })
  candidates!: CandidateDto[];

  @AnyText({ nullable: true, description: "The commission rule; null for the programme's terms." })
  rule!: string | null;

  @Nested(() => DecisionTermsDto, { nullable: true })
  terms!: DecisionTermsDto | null;

  @ListOf(() => RuleTraceDto, { description: 'In order, up to the one that matched.' })
  rules!: RuleTraceDto[];

  @Int({ nullable: true, description: "Whole months since the customer's first payment." })
  customer_month!: number | null;

  @Int({ nullable: true, description: 'Which payment of its customer it is; 1 is the first.' })
  payment_number!: number | null;

  @ListOf(() => FraudFindingDto, { description: 'Empty when there was no winner to judge.' })
  fraud_rules!: FraudFindingDto[];

  @ListOf(() => FormerAnswerDto, {
    description: 'Answers of before, oldest first: who is credited follows all that is known.',
  })
  former!: FormerAnswerDto[];
}

export class DecisionDetailDto extends DecisionDto {
  @Nested(() => DecisionTraceDto)
  trace!: DecisionTraceDto;
}

/** A conversion as it would be, with why. */
export class DryRunDto extends ConversionDto {
  @Nested(() => DecisionTraceDto)
  trace!: DecisionTraceDto;
}

/** An earlier release traced less. */
export function presentTrace(trace: DecisionTrace): DecisionTraceDto {
  const { rules = [], customer_month = null, payment_number = null, former = [] } = trace;
  return { ...trace, rules, customer_month, payment_number, former };
}

const { window_ends_at, ...outcome } = conversionExample.attribution;

export const decisionExample = {
  conversion_id: conversionExample.id,
  external_transaction_id: conversionExample.external_transaction_id,
  attributed: true,
  ...outcome,
  created_at: '2026-01-31T09:31:00.000Z',
};

export const decisionDetailExample = {
  ...decisionExample,
  trace: {
    source: 'api',
    reported_at: '2026-01-31T09:31:00.000Z',
    occurred_at: '2026-01-31T09:31:00.000Z',
    signals: { click_id: outcome.click_id, promo_code: null },
    candidates: [
      {
        signal: 'click',
        outcome: 'HOLDS',
        program: { id: outcome.program_id, status: 'active' },
        participant: { id: outcome.participant_id, status: 'approved', erased: false },
        window: {
          clicked_at: '2026-01-31T09:30:00.000Z',
          occurred_at: '2026-01-31T09:31:00.000Z',
          window_ends_at,
          seconds_since_click: 60,
          seconds_to_end: 2591940,
          inside: true,
        },
        customer: null,
      },
    ],
    rule: null,
    terms: {
      type: 'percentage',
      rate_bps: 2000,
      amount_cents: null,
      basis: 'gross',
      recurring: false,
      recurring_months: null,
      hold_days: 30,
      auto_approve: true,
    },
    rules: [{ name: 'Big orders', matched: false, failed: 'min_amount' }],
    customer_month: 0,
    payment_number: 1,
    fraud_rules: [
      { rule: 'too_fast_conversion', action: 'flag', hit: false, value: 60, threshold: 10 },
    ],
    former: [
      {
        until: '2026-02-01T08:00:00.000Z',
        fact: 'sign_up',
        attributed: false,
        reason: 'CLICK_NOT_FOUND',
        participant_id: null,
        amount_cents: 4900,
      },
    ],
  },
};

export const dryRunExample = {
  ...conversionExample,
  trace: { ...decisionDetailExample.trace, former: [] },
};
