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
import { ConversionDto, ConversionFilter } from '../conversions/conversions.dto';
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

  @AnyText({ example: 'order_1001' })
  external_transaction_id!: string;

  @Flag()
  attributed!: boolean;

  @Instant()
  created_at!: string;
}

class SignalsDto {
  @AnyText({ nullable: true, example: '01890a5d-9f00-7c3e-8a2b-1f2e3d4c5b6a' })
  click_id!: string | null;

  @AnyText({ nullable: true })
  promo_code!: string | null;
}

class TracedProgramDto {
  @Uuid()
  id!: string;

  @OneOf(programStatuses, { description: 'At the time of the report.', example: 'active' })
  status!: string;
}

class TracedParticipantDto {
  @Uuid()
  id!: string;

  @OneOf(participantStatuses, { description: 'At the time of the report.', example: 'approved' })
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

  @Decimal({ description: 'Negative when the click came later.', example: 60 })
  seconds_since_click!: number;

  @Decimal({ description: 'Negative when the window was over.', example: 2_591_940 })
  seconds_to_end!: number;

  @Flag({ example: true })
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

  @Nested(() => TracedCustomerDto, { nullable: true, example: null })
  customer!: TracedCustomerDto | null;
}

class DecisionTermsDto {
  @OneOf(ruleTypes)
  type!: TermsTrace['type'];

  @Int({ nullable: true })
  rate_bps!: number | null;

  @Int({ nullable: true, example: null })
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
  @AnyText({ example: 'Big orders' })
  name!: string;

  @Flag()
  matched!: boolean;

  @OneOf(ruleConditions, {
    nullable: true,
    description: 'The first condition that does not hold; null for the rule that matched.',
    example: 'min_amount',
  })
  failed!: RuleTrace['failed'];
}

class FraudFindingDto {
  @OneOf(fraudRules, { example: 'too_fast_conversion' })
  rule!: FraudFinding['rule'];

  @OneOf(fraudActions, { example: 'flag' })
  action!: FraudFinding['action'];

  @Flag()
  hit!: boolean;

  @Json({
    nullable: true,
    schema: { oneOf: [{ type: 'number' }, { type: 'boolean' }] },
    description: 'What was found; null when the rule is off or there is nothing to look at.',
    example: 60,
  })
  value!: FraudFinding['value'];

  @Int({ nullable: true, example: 10 })
  threshold!: number | null;
}

class FormerAnswerDto implements FormerAnswer {
  @Instant({ description: 'When it was changed.' })
  until!: string;

  @OneOf(creditFacts, {
    description:
      'What changed it: what a biller told, a report, a sign-up, a member who said whose customer it is, or an operator.',
    example: 'sign_up',
  })
  fact!: FormerAnswer['fact'];

  @Flag({ example: false })
  attributed!: boolean;

  @OneOf(attributionReasons, { example: 'CLICK_NOT_FOUND' })
  reason!: FormerAnswer['reason'];

  @Uuid({ nullable: true, example: null })
  participant_id!: string | null;

  @Int({ description: 'What the sale came to, by what was known then.', example: 4900 })
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
