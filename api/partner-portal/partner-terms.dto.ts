import type { OwnStanding } from '../../activities/standings/own-standing';
import { figureMetrics, type FigureMetric } from '../../entities/rules/programs/figures';
import { rulesFor, ruleWords } from '../../entities/rules/programs/words';
import {
  programStatuses,
  ruleTypes,
  type ProgramStatus,
  type RuleType,
} from '../../entities/rules/programs/terms';
import {
  participantStatuses,
  type ParticipantStatus,
} from '../../entities/rules/partners/participant-status';
import type { Participant } from '../../entities/tables/partners/participant.entity';
import type { ProgramGroup } from '../../entities/tables/programs/program-group.entity';
import type { Program } from '../../entities/tables/programs/program.entity';
import { present } from '../http/contract/present';
import {
  AnyText,
  Flag,
  Instant,
  Int,
  ListOf,
  Nested,
  OneOf,
  Uuid,
} from '../http/contract/validators';
import { GroupNameDto, PublicProgramDto, presentPublicProgram } from '../programs/programs.dto';

/** A rule as its partners read it: whom and what it names is the merchant's business. */
export class PartnerRuleDto {
  @AnyText({ example: 'Big orders' })
  name!: string;

  @AnyText({
    description: 'What it says, in a sentence.',
    example: '25 % of each sale, from USD 1,000.00 on',
  })
  words!: string;

  @OneOf(ruleTypes)
  type!: RuleType;

  @Int({ nullable: true, example: 2500 })
  rateBps!: number | null;

  @Int({ nullable: true, example: null })
  amountCents!: number | null;

  @Int({ nullable: true, description: 'Null: as the rest of your sales.', example: 45 })
  holdDays!: number | null;
}

export class NextTierDto {
  @AnyText({ example: 'Gold' })
  groupName!: string;

  @Int({ example: 10 })
  atLeast!: number;
}

/** How far you are to the next group. */
export class PartnerTierDto {
  @OneOf(figureMetrics)
  metric!: FigureMetric;

  @OneOf(['lifetime'])
  window!: 'lifetime';

  @Int({ min: 0, example: 3 })
  current!: number;

  @Nested(() => NextTierDto, { nullable: true })
  next!: NextTierDto | null;
}

/** What you earn once, and how far you are. */
export class PartnerBonusDto {
  @AnyText({ example: 'First three' })
  name!: string;

  @OneOf(figureMetrics)
  metric!: FigureMetric;

  @Int({ min: 0, example: 1 })
  current!: number;

  @Int({ example: 3 })
  atLeast!: number;

  @Int({ description: 'Minor units.', example: 10_000 })
  amountCents!: number;

  @AnyText()
  currency!: string;

  @Instant({ nullable: true, description: 'Payments before it count; null: without end.' })
  until!: string | null;

  @Flag({ description: 'You have earned it.' })
  earned!: boolean;
}

export class PartnerGroupDto extends GroupNameDto {
  @Instant()
  since!: string;
}

/** A programme as one of its partners sees it. */
export class PartnerTermsDto extends PublicProgramDto {
  @OneOf(programStatuses, { example: 'active' })
  status!: ProgramStatus;

  @Nested(() => PartnerGroupDto, { description: 'Which you are in, since when.' })
  declare group: PartnerGroupDto;

  @Int({ description: 'The least sum in its currency that a payout pays.' })
  minPayoutCents!: number;

  @Nested(() => PartnerTierDto, {
    nullable: true,
    description: 'Null where the programme has no tiers.',
  })
  tier!: PartnerTierDto | null;

  @ListOf(() => PartnerBonusDto, { description: 'Those that you may earn, or have earned.' })
  bonuses!: PartnerBonusDto[];

  @Uuid()
  participantId!: string;

  @OneOf(participantStatuses)
  participantStatus!: ParticipantStatus;

  @ListOf(() => PartnerRuleDto, {
    description:
      'Rules that name you, your group or nobody, in order: the first that fits a sale goes before `commission`.',
  })
  rules!: PartnerRuleDto[];
}

export function presentPartnerTerms(
  program: Program,
  participant: Participant,
  { group, tier, bonuses }: { group: ProgramGroup } & OwnStanding,
): PartnerTermsDto {
  const since = participant.groupSince ?? participant.createdAt;
  return {
    ...presentPublicProgram(program, group),
    group: { name: group.name, since: since.toISOString() },
    tier: tier && { ...tier, window: 'lifetime' },
    bonuses,
    status: program.status,
    minPayoutCents: program.minPayoutCents,
    participantId: participant.id,
    participantStatus: participant.status,
    rules: presentRules(program, { participantId: participant.id, groupId: group.id }),
  };
}

function presentRules(
  { rules, currency }: Program,
  who: { participantId: string; groupId: string },
): PartnerRuleDto[] {
  return rulesFor(rules, who).map((rule) =>
    present(PartnerRuleDto, { ...rule, words: ruleWords(rule, currency) }),
  );
}
