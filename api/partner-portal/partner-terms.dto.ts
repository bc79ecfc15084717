import { programStatuses, type ProgramStatus } from '../../entities/rules/programs/terms';
import {
  participantStatuses,
  type ParticipantStatus,
} from '../../entities/rules/partners/participant-status';
import type { Participant } from '../../entities/tables/partners/participant.entity';
import type { Program } from '../../entities/tables/programs/program.entity';
import { Int, ListOf, OneOf, Uuid } from '../http/contract/validators';
import {
  CommissionRuleDto,
  commissionRulesExample,
  presentCommissionRules,
} from '../programs/commission-rules.dto';
import {
  PublicProgramDto,
  presentPublicProgram,
  publicProgramExample,
} from '../programs/programs.dto';

/** A programme as one of its partners sees it. */
export class PartnerTermsDto extends PublicProgramDto {
  @OneOf(programStatuses)
  status!: ProgramStatus;

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

export function presentPartnerTerms(program: Program, participant: Participant): PartnerTermsDto {
  return {
    ...presentPublicProgram(program),
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
  status: 'active',
  minPayoutCents: 0,
  participantId: '0198c0de-2000-7000-8000-000000000002',
  participantStatus: 'approved',
  rules: commissionRulesExample.rules,
};
