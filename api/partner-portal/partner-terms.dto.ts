import { programStatuses, type ProgramStatus } from '../../entities/rules/programs/terms';
import {
  participantStatuses,
  type ParticipantStatus,
} from '../../entities/rules/partners/participant-status';
import type { Participant } from '../../entities/tables/partners/participant.entity';
import type { ProgramGroup } from '../../entities/tables/programs/program-group.entity';
import type { Program } from '../../entities/tables/programs/program.entity';
import { Instant, Int, ListOf, Nested, OneOf, Uuid } from '../http/contract/validators';
import {
  CommissionRuleDto,
  commissionRulesExample,
  presentCommissionRules,
} from '../programs/commission-rules.dto';
import {
  GroupNameDto,
  PublicProgramDto,
  presentPublicProgram,
  publicProgramExample,
} from '../programs/programs.dto';

export class PartnerGroupDto extends GroupNameDto {
  @Instant()
  since!: string;
}

/** A programme as one of its partners sees it. */
export class PartnerTermsDto extends PublicProgramDto {
  @OneOf(programStatuses)
  status!: ProgramStatus;

  @Nested(() => PartnerGroupDto, { description: 'Which you are in, since when.' })
  declare group: PartnerGroupDto;

  @Int({ description: 'The least sum in its currency that a payout pays.' })
  minPayoutCents!: number;

  @Uuid()
  participantId!: string;

  @OneOf(participantStatuses)
  participantStatus!: ParticipantStatus;

  @ListOf(() => CommissionRuleDto, {
    description:
      'Rules that name you, in order: the first that fits a sale goes before `commission`.',
  })
  rules!: CommissionRuleDto[];
}

export function presentPartnerTerms(
  program: Program,
  participant: Participant,
  group: ProgramGroup,
): PartnerTermsDto {
  const since = participant.groupSince ?? participant.createdAt;
  return {
    ...presentPublicProgram(program, group),
    group: { name: group.name, since: since.toISOString() },
    status: program.status,
    minPayoutCents: program.minPayoutCents,
    participantId: participant.id,
    participantStatus: participant.status,
    rules: rulesFor(program, participant.id),
  };
}

/** Who else a rule names is nobody's business but the merchant's. */
function rulesFor({ rules }: Program, participantId: string): CommissionRuleDto[] {
  const own = rules.filter(({ match }) => match.participantIds?.includes(participantId));
  const alone = own.map((rule) => ({
    ...rule,
    match: { ...rule.match, participantIds: [participantId] },
  }));
  return presentCommissionRules(alone).rules;
}

export const partnerTermsExample: PartnerTermsDto = {
  ...publicProgramExample,
  group: { name: 'Default', since: '2026-01-31T09:30:00.000Z' },
  status: 'active',
  minPayoutCents: 0,
  participantId: '0198c0de-2000-7000-8000-000000000002',
  participantStatus: 'approved',
  rules: commissionRulesExample.rules,
};
