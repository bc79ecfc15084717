import {
  participantStatuses,
  type ParticipantStatus,
} from '../../entities/rules/partners/participant-status';
import { codePattern } from '../../entities/rules/partners/referral-code';
import { AnyText, ListOf, OneOf, Text, Texts, Uuid } from '../http/contract/validators';
import { OwnCodeDto } from './own-codes.dto';

export class ApplicationBody {
  @Text({ max: 2_000, optional: true, nullable: true, example: 'I write about tea.' })
  message?: string | null;

  @Text({
    min: 3,
    max: 40,
    trim: true,
    pattern: codePattern,
    optional: true,
    nullable: true,
    description: 'The referral code that the partner would like; a fresh one by default.',
    example: 'anna',
  })
  referralCode?: string | null;

  @Uuid({
    optional: true,
    nullable: true,
    description: 'The group that is applied for. Default: the default group.',
  })
  groupId?: string | null;
}

/** A programme that the partner is in. */
export class PartnerProgramDto {
  @Uuid()
  programId!: string;

  @AnyText({ example: 'Tea shop' })
  programName!: string;

  @Uuid()
  participantId!: string;

  @OneOf(participantStatuses, { example: 'approved' })
  status!: ParticipantStatus;

  @AnyText()
  referralCode!: string;

  @Texts()
  promoCodes!: string[];

  @ListOf(() => OwnCodeDto, { description: 'The same codes, and where each works. Oldest first.' })
  codes!: OwnCodeDto[];
}

export interface PartnerProgramRow {
  programId: string;
  programName: string;
  participantId: string;
  status: ParticipantStatus;
  referralCode: string;
  promoCodes: string[];
  codes: OwnCodeDto[];
}

export function presentPartnerProgram(row: PartnerProgramRow): PartnerProgramDto {
  return {
    programId: row.programId,
    programName: row.programName,
    participantId: row.participantId,
    status: row.status,
    referralCode: row.referralCode,
    promoCodes: row.promoCodes,
    codes: row.codes,
  };
}
