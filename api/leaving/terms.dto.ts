import type { Bonus } from '../../entities/rules/programs/bonuses';
import { figureMetrics, type FigureMetric } from '../../entities/rules/programs/figures';
import {
  approvalModes,
  commissionBases,
  ruleTypes,
  type ApprovalMode,
  type CommissionBasis,
  type CommissionRule,
  type RuleType,
} from '../../entities/rules/programs/terms';
import type { Tiers } from '../../entities/rules/programs/tiers';
import type { Program } from '../../entities/tables/programs/program.entity';
import type { ProgramGroup } from '../../entities/tables/programs/program-group.entity';
import { present } from '../http/contract/present';
import {
  AnyText,
  CurrencyCode,
  Flag,
  Int,
  Json,
  ListOf,
  Nested,
  nullable,
  OneOf,
  Texts,
} from '../http/contract/validators';
import { CommissionTermsDto } from '../programs/programs.dto';

const inherited = { ...nullable, description: "Null: the programme's." };

export class LeavingGroupDto {
  @AnyText({ example: 'Gold' })
  name!: string;

  @Flag({ description: 'Of whoever is in no other: it offers what the programme does.' })
  isDefault!: boolean;

  @AnyText({ ...nullable, example: 'From ten customers on.' })
  description!: string | null;

  @Nested(() => CommissionTermsDto, { ...inherited })
  commission!: CommissionTermsDto | null;

  @Int({ ...inherited, example: null })
  holdDays!: number | null;

  @Flag({ ...inherited, example: null })
  autoApprove!: boolean | null;

  @Flag()
  publicApplications!: boolean;

  @OneOf(approvalModes, inherited)
  approvalMode!: ApprovalMode | null;
}

type LeavingMatch = Omit<CommissionRule['match'], 'groupIds'> & { groups?: string[] };

export class LeavingRuleDto {
  @AnyText({ example: 'Gold, big orders' })
  name!: string;

  @Json({
    description:
      'As a rule has it, with the names of `groups` in the place of groupIds; participantIds are the partner_id of the other files.',
    example: { minAmountCents: 100_000, groups: ['Gold'] },
  })
  match!: LeavingMatch;

  @OneOf(ruleTypes)
  type!: RuleType;

  @Int({ ...nullable, example: 4000 })
  rateBps!: number | null;

  @Int({ ...nullable, example: null })
  amountCents!: number | null;

  @OneOf(commissionBases, nullable)
  basis!: CommissionBasis | null;

  @Int({ ...nullable, example: null })
  holdDays!: number | null;

  @Flag({ ...nullable, example: null })
  autoApprove!: boolean | null;
}

export class LeavingStepDto {
  @Int({ example: 10 })
  atLeast!: number;

  @AnyText({ description: 'Its name.', example: 'Gold' })
  group!: string;
}

export class LeavingTiersDto {
  @OneOf(figureMetrics)
  metric!: FigureMetric;

  @OneOf(['lifetime'])
  window!: 'lifetime';

  @Flag()
  demote!: boolean;

  @ListOf(() => LeavingStepDto)
  steps!: LeavingStepDto[];
}

export class LeavingBonusDto {
  @AnyText({ example: 'First three' })
  name!: string;

  @OneOf(figureMetrics)
  metric!: FigureMetric;

  @Int({ example: 3 })
  atLeast!: number;

  @Json({
    description: 'from inclusive, to exclusive: instants, null without end.',
    example: { from: '2026-01-31T09:30:00.000Z', to: null },
  })
  window!: Bonus['window'];

  @Int({ example: 10_000 })
  amountCents!: number;

  @CurrencyCode()
  currency!: string;

  @Texts({ ...nullable, description: 'Names; null: for all.' })
  groups!: string[] | null;

  @Int({ ...nullable, example: null })
  holdDays!: number | null;

  @Flag({ ...nullable, example: null })
  autoApprove!: boolean | null;
}

/** What a programme offers beside its own terms, without ids of ours: groups are called by their names. */
export class LeavingTermsDto {
  @ListOf(() => LeavingGroupDto)
  groups!: LeavingGroupDto[];

  @ListOf(() => LeavingRuleDto, { description: 'In order.' })
  rules!: LeavingRuleDto[];

  @Nested(() => LeavingTiersDto)
  tiers!: LeavingTiersDto;

  @ListOf(() => LeavingBonusDto)
  bonuses!: LeavingBonusDto[];
}

export interface OfferedTerms {
  program: Pick<Program, 'id' | 'publicApplications'>;
  groups: readonly ProgramGroup[];
  rules: readonly CommissionRule[];
  tiers: Tiers;
  bonuses: readonly Bonus[];
}

export function presentTerms(offered: OfferedTerms): LeavingTermsDto {
  const { program, groups, rules, tiers, bonuses } = offered;
  const names = new Map(groups.map(({ id, name }) => [id, name]));
  const nameOf = (id: string): string => names.get(id) ?? id;
  const { metric, steps } = tiers;
  return {
    groups: groups.map((group) => present(LeavingGroupDto, groupOf(group, program))),
    rules: rules.map((rule) =>
      present(LeavingRuleDto, { ...rule, match: matchOf(rule.match, nameOf) }),
    ),
    tiers: {
      metric,
      window: 'lifetime',
      demote: false,
      steps: steps.map(({ atLeast, groupId }) => ({ atLeast, group: nameOf(groupId) })),
    },
    bonuses: bonuses.map(({ groupIds, ...bonus }) =>
      present(LeavingBonusDto, { ...bonus, groups: groupIds && groupIds.map(nameOf) }),
    ),
  };
}

/** The default group is the programme, and takes applications as it does. */
function groupOf(group: ProgramGroup, program: OfferedTerms['program']) {
  const isDefault = group.id === program.id;
  const { publicApplications } = isDefault ? program : group;
  return { ...group, isDefault, publicApplications };
}

function matchOf(
  { groupIds, ...match }: CommissionRule['match'],
  nameOf: (id: string) => string,
): LeavingMatch {
  return groupIds ? { ...match, groups: groupIds.map(nameOf) } : match;
}
