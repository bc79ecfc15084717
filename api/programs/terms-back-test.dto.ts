import type { TriedTerms } from '../../activities/back-test/back-test';
import type { FieldProblem } from '../../entities/errors';
import {
  commissionRuleOf,
  commissionRulesProblems,
  maxCommissionRules,
  programTermsOf,
  programTermsProblems,
} from '../../entities/rules/programs/terms';
import { maxGroups } from '../../entities/rules/programs/groups';
import { dayMs } from '../../entities/rules/values/duration';
import { dateRange } from '../../entities/rules/values/instant';
import {
  AnyText,
  DateOrInstant,
  Flag,
  Int,
  ListOf,
  Nested,
  Uuid,
} from '../http/contract/validators';
import { CommissionRuleDto } from './commission-rules.dto';
import { CommissionTermsBody } from './program-bodies.dto';
import { exampleOf } from '../http/contract/example';

export class TriedGroupBody {
  @Uuid()
  groupId!: string;

  @Nested(() => CommissionTermsBody, { nullable: true, description: "Null: the programme's." })
  commission!: CommissionTermsBody | null;
}

/** Terms to try on the sales of a period; what is left out is as it is today. */
export class TermsBackTestBody {
  @ListOf(() => CommissionRuleDto, { optional: true, max: maxCommissionRules })
  rules?: CommissionRuleDto[];

  @Nested(() => CommissionTermsBody, { optional: true })
  commission?: CommissionTermsBody;

  @ListOf(() => TriedGroupBody, { optional: true, max: maxGroups })
  groups?: TriedGroupBody[];

  @DateOrInstant({ optional: true, description: 'Sales that arrived from then on; 90 days ago.' })
  dateFrom?: string;

  @DateOrInstant({
    optional: true,
    description: 'Until that day, inclusive, or that instant; now.',
  })
  dateTo?: string;
}

export function triedProblems({ rules, commission, groups }: TermsBackTestBody): FieldProblem[] {
  return [
    ...commissionRulesProblems(rules ?? []),
    ...(commission ? programTermsProblems(commission, 'commission') : []),
    ...(groups ?? []).flatMap(({ commission: own }, n) =>
      own ? programTermsProblems(own, `groups[${n}].commission`) : [],
    ),
  ];
}

export function triedTermsOf({ rules, commission, groups }: TermsBackTestBody): TriedTerms {
  return {
    rules: rules?.map(commissionRuleOf),
    commission: commission && programTermsOf(commission),
    groups: groups?.map(({ groupId, commission: own }) => {
      return { groupId, commission: own && programTermsOf(own) };
    }),
  };
}

const usualDays = 90;
const maxDays = 366;

/** Half-open; or what is wrong with it. */
export function triedPeriodOf(
  { dateFrom, dateTo }: TermsBackTestBody,
  now: Date,
): { from: Date; to: Date } | FieldProblem {
  const given = dateRange({
    ...(dateFrom === undefined ? {} : { dateFrom }),
    ...(dateTo === undefined ? {} : { dateTo }),
  });
  const to = given.to ?? now;
  const from = given.from ?? new Date(to.getTime() - usualDays * dayMs);
  if (from > to) return { field: 'dateFrom', message: 'must not be after dateTo' };
  if (to.getTime() - from.getTime() <= maxDays * dayMs) return { from, to };
  return { field: 'dateTo', message: `must be at most ${maxDays} days after dateFrom` };
}

class TriedAmountDto {
  @AnyText({ description: 'ISO 4217, lower case.' })
  currency!: string;

  @Int({ description: 'Minor units.', example: 480_000 })
  amountCents!: number;
}

class TriedPartnerDto {
  @Uuid()
  participantId!: string;

  @AnyText()
  partnerName!: string;

  @ListOf(() => TriedAmountDto)
  before!: TriedAmountDto[];

  @ListOf(() => TriedAmountDto)
  after!: TriedAmountDto[];
}

class TriedSaleDto {
  @Uuid()
  conversionId!: string;

  @Nested(() => TriedAmountDto, { nullable: true })
  before!: TriedAmountDto | null;

  @Nested(() => TriedAmountDto, { nullable: true })
  after!: TriedAmountDto | null;

  @AnyText({ nullable: true, description: 'Null for the terms of group or programme.' })
  ruleBefore!: string | null;

  @AnyText({ nullable: true, example: 'First year' })
  ruleAfter!: string | null;
}

export class TermsBackTestDto {
  @Int({
    min: 0,
    description: 'Attributed sales whose commission nobody rejected by hand.',
    example: 240,
  })
  conversions!: number;

  @Int({ min: 0, description: 'Those that would be worth another amount.', example: 12 })
  changed!: number;

  @ListOf(() => TriedAmountDto, { description: 'What their commissions are worth now.' })
  before!: TriedAmountDto[];

  @ListOf(() => TriedAmountDto)
  after!: TriedAmountDto[];

  @ListOf(() => TriedPartnerDto, {
    description: "The 20 largest differences in the programme's currency.",
  })
  byPartner!: TriedPartnerDto[];

  @ListOf(() => TriedSaleDto, { description: '20 sales that change, the newest.' })
  examples!: TriedSaleDto[];

  @Flag({ description: 'Only the newest 100,000 sales were looked at.' })
  truncated!: boolean;
}

const usd = (amountCents: number) => ({ currency: 'usd', amountCents });

export const termsBackTestExample = exampleOf(TermsBackTestDto, {
  after: [usd(492_000)],
  byPartner: [exampleOf(TriedPartnerDto, { before: [usd(140_000)], after: [usd(152_000)] })],
  examples: [exampleOf(TriedSaleDto, { before: usd(2_000), after: usd(3_000) })],
});
