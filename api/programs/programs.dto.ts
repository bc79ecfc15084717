import type { ProgramGroup } from '../../entities/tables/programs/program-group.entity';
import type { Program } from '../../entities/tables/programs/program.entity';
import { modes, type Mode } from '../../entities/rules/values/mode';
import {
  approvalModes,
  commissionBases,
  commissionTypes,
  programStatuses,
  salesSources,
  type ApprovalMode,
  type CommissionBasis,
  type CommissionType,
  type ProgramStatus,
  type SalesFrom,
} from '../../entities/rules/programs/terms';
import { present } from '../http/contract/present';
import {
  AnyText,
  Flag,
  Instant,
  Int,
  Nested,
  OneOf,
  Texts,
  Uuid,
} from '../http/contract/validators';

export class CommissionTermsDto {
  @OneOf(commissionTypes)
  type!: CommissionType;

  @Int({ nullable: true, description: 'Basis points: 1000 is 10 %.' })
  rateBps!: number | null;

  @Int({ nullable: true, description: "Minor units of the programme's currency.", example: null })
  amountCents!: number | null;

  @OneOf(commissionBases, { nullable: true })
  basis!: CommissionBasis | null;

  @Flag()
  recurring!: boolean;

  @Int({ nullable: true })
  recurringMonths!: number | null;
}

export class ProgramDto {
  @Uuid()
  id!: string;

  @OneOf(modes)
  mode!: Mode;

  @AnyText({ example: 'Tea shop' })
  name!: string;

  @AnyText()
  websiteUrl!: string;

  @AnyText({ nullable: true })
  description!: string | null;

  @AnyText({ description: 'ISO 4217, lower case.' })
  currency!: string;

  @OneOf(programStatuses, { example: 'active' })
  status!: ProgramStatus;

  @Int()
  attributionWindowDays!: number;

  @OneOf(approvalModes, { example: 'manual' })
  approvalMode!: ApprovalMode;

  @Flag({ example: true })
  publicApplications!: boolean;

  @Nested(() => CommissionTermsDto)
  commission!: CommissionTermsDto;

  @Int()
  holdDays!: number;

  @Flag()
  autoApprove!: boolean;

  @Texts()
  acceptedCurrencies!: string[];

  @Int({ nullable: true })
  reviewAboveCents!: number | null;

  @Int()
  minPayoutCents!: number;

  @OneOf(salesSources)
  salesFrom!: SalesFrom;

  @Texts({ description: 'Hosts that the fraud rule banned_source looks for.' })
  bannedSources!: string[];

  @Instant()
  createdAt!: string;

  @Instant()
  updatedAt!: string;
}

export class PublicProgramQuery {
  @Uuid({ optional: true, description: 'The terms of this group, which must take applications.' })
  group?: string;
}

export class GroupNameDto {
  @AnyText({ example: 'Default' })
  name!: string;
}

/** What is public of a programme that takes applications. */
export class PublicProgramDto {
  @Uuid()
  id!: string;

  @OneOf(modes, { description: 'The mode in which partners apply, and are invited.' })
  mode!: Mode;

  @AnyText({ example: 'Tea shop' })
  name!: string;

  @AnyText()
  websiteUrl!: string;

  @AnyText({ nullable: true })
  description!: string | null;

  @AnyText()
  currency!: string;

  @Int()
  attributionWindowDays!: number;

  @OneOf(approvalModes, { example: 'manual' })
  approvalMode!: ApprovalMode;

  @Nested(() => CommissionTermsDto)
  commission!: CommissionTermsDto;

  @Int()
  holdDays!: number;

  @Nested(() => GroupNameDto, { description: 'Whose terms these are.' })
  group!: GroupNameDto;
}

export function presentProgram(program: Program): ProgramDto {
  return present(ProgramDto, { ...program, commission: presentTerms(program) });
}

/** The programme with the terms of a group: where the group has none, the programme's own hold. */
export function presentPublicProgram(program: Program, group: ProgramGroup): PublicProgramDto {
  const { name, commission } = group;
  return present(PublicProgramDto, {
    ...program,
    group: { name },
    approvalMode: group.approvalMode ?? program.approvalMode,
    holdDays: group.holdDays ?? program.holdDays,
    commission: commission ?? presentTerms(program),
  });
}

function presentTerms(program: Program): CommissionTermsDto {
  return present(CommissionTermsDto, { ...program, type: program.commissionType });
}
