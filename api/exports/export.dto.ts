import { commissionStatuses } from '../../entities/rules/commissions/status';
import { modes } from '../../entities/rules/values/mode';
import { commissionKinds } from '../../entities/rules/programs/terms';
import { payoutStatuses } from '../../entities/rules/payouts/status';
import {
  absent,
  AnyText,
  Instant,
  Int,
  Json,
  ListOf,
  Nested,
  OneOf,
  Uuid,
  nullable,
} from '../http/contract/validators';
import {
  ExportedInviteDto,
  ExportedMailDto,
  ExportedNetworkDto,
  ExportedNoticeDto,
  ExportedPreferenceDto,
  ExportedSessionDto,
} from './account-records.dto';
import { ParticipantDto } from '../participants/participants.dto';

const ownOnly = { optional: true, description: "In a partner's own export only." } as const;

class ExportedLinkDto {
  @Uuid()
  id!: string;

  @AnyText()
  token!: string;

  @AnyText(nullable)
  name!: string | null;

  @AnyText()
  targetUrl!: string;

  @Instant()
  createdAt!: string;

  @Instant({ ...ownOnly, ...nullable })
  deletedAt?: string | null;
}

class ExportedPromoCodeDto {
  @AnyText({ example: 'SUMMER-24' })
  code!: string;

  @Instant()
  createdAt!: string;
}

class ExportedPayoutDto {
  @Uuid()
  id!: string;

  @OneOf(payoutStatuses)
  status!: string;

  @AnyText()
  currency!: string;

  @Int()
  amountCents!: number;

  @Instant()
  createdAt!: string;

  @Instant(nullable)
  completedAt!: string | null;
}

class ExportedDecisionDto {
  @AnyText(nullable)
  from!: string | null;

  @AnyText()
  to!: string;

  @AnyText()
  trigger!: string;

  @AnyText(nullable)
  reason!: string | null;

  @Instant()
  at!: string;
}

class ExportedEntryDto {
  @AnyText()
  type!: string;

  @Int()
  amountCents!: number;

  @AnyText()
  currency!: string;

  @Instant()
  createdAt!: string;
}

/** What a partner and a merchant both see of a commission. */
class ExportedCommissionDto {
  @Uuid()
  id!: string;

  @Uuid({ nullable: true, description: 'Null for an adjustment.' })
  conversionId!: string | null;

  @AnyText({ ...absent, description: "In a merchant's export only." })
  externalTransactionId?: string | null;

  @AnyText({ nullable: true })
  adjustmentReason!: string | null;

  @OneOf(commissionStatuses)
  status!: string;

  @OneOf(commissionKinds)
  commissionType!: string;

  @Int()
  amountCents!: number;

  @Int()
  originalAmountCents!: number;

  @Int()
  refundedAmountCents!: number;

  @AnyText()
  currency!: string;

  @Int()
  conversionAmountCents!: number;

  @Json({ description: 'The terms that applied.' })
  terms!: object;

  @AnyText(nullable)
  rejectionReason!: string | null;

  @Instant(nullable)
  holdUntil!: string | null;

  @Instant(nullable)
  approvedAt!: string | null;

  @Instant(nullable)
  rejectedAt!: string | null;

  @Instant(nullable)
  paidAt!: string | null;

  @Instant(nullable)
  refundedAt!: string | null;

  @ListOf(() => ExportedDecisionDto, ownOnly)
  history?: ExportedDecisionDto[];

  @ListOf(() => ExportedEntryDto, ownOnly)
  ledger?: ExportedEntryDto[];

  @Uuid(nullable)
  payoutId!: string | null;

  @Instant()
  createdAt!: string;
}

/** A participation with everything that hangs on it. */
class ParticipationBundle {
  @Nested(() => ParticipantDto)
  participant!: ParticipantDto;

  @ListOf(() => ExportedLinkDto, { example: [] })
  links!: ExportedLinkDto[];

  @ListOf(() => ExportedPromoCodeDto)
  promoCodes!: ExportedPromoCodeDto[];

  @ListOf(() => ExportedCommissionDto, { description: 'Oldest first.', example: [] })
  commissions!: ExportedCommissionDto[];

  @ListOf(() => ExportedPayoutDto, {
    description: 'What each payout brings, by currency.',
    example: [],
  })
  payouts!: ExportedPayoutDto[];
}

export class ExportedNameDto {
  @AnyText({ example: 'Anna Partner' })
  name!: string;

  @AnyText()
  email!: string;
}

export class PartnerExportDto extends ParticipationBundle {
  @Nested(() => ExportedNameDto)
  account!: ExportedNameDto;
}

export class ExportedCodeDto {
  @AnyText()
  code!: string;

  @Instant()
  createdAt!: string;

  @Instant(nullable)
  retiredAt!: string | null;
}

export class ExportedFlagDto {
  @AnyText()
  rule!: string;

  @AnyText()
  action!: string;

  @Json({ description: 'A number, or true.', schema: {} })
  value!: unknown;

  @Int(nullable)
  threshold!: number | null;

  @AnyText({ description: 'open, confirmed or dismissed.' })
  state!: string;

  @AnyText({ ...nullable, description: "The merchant's note on it." })
  note!: string | null;

  @Instant()
  createdAt!: string;
}

export class ExportedProgramDto extends ParticipationBundle {
  @AnyText()
  programName!: string;

  @OneOf(modes)
  mode!: string;

  @ListOf(() => ExportedCodeDto, { description: 'Referral codes, past ones too.', example: [] })
  codes!: ExportedCodeDto[];

  @ListOf(() => ExportedFlagDto, {
    description: 'What fraud rules said of its sales.',
    example: [],
  })
  fraudFlags!: ExportedFlagDto[];
}

export class ExportedAccountDto extends ExportedNameDto {
  @Uuid({ description: 'The gpaId.' })
  id!: string;

  @AnyText(nullable)
  vatId!: string | null;

  @Json(nullable)
  payoutMethod!: Record<string, unknown> | null;

  @Instant()
  createdAt!: string;
}

export class ExportedBalanceDto {
  @OneOf(modes)
  mode!: string;

  @AnyText()
  currency!: string;

  @Int()
  pendingCents!: number;

  @Int()
  approvedCents!: number;

  @Int()
  inPayoutCents!: number;

  @Int()
  paidCents!: number;

  @Int()
  importedCents!: number;

  @Int()
  paidElsewhereCents!: number;

  @Int()
  debtCents!: number;
}

export class AccountExportDto {
  @Nested(() => ExportedAccountDto)
  account!: ExportedAccountDto;

  @ListOf(() => ExportedBalanceDto, { example: [] })
  balances!: ExportedBalanceDto[];

  @ListOf(() => ExportedSessionDto, { description: 'Sessions with their devices.' })
  sessions!: ExportedSessionDto[];

  @ListOf(() => ExportedPreferenceDto, {
    description: 'What was chosen of notices and mails.',
    example: [],
  })
  preferences!: ExportedPreferenceDto[];

  @ListOf(() => ExportedNoticeDto, { description: 'Notices of the last 90 days.', example: [] })
  notices!: ExportedNoticeDto[];

  @ListOf(() => ExportedMailDto, { description: 'Mails of the last 90 days.', example: [] })
  mails!: ExportedMailDto[];

  @ListOf(() => ExportedInviteDto, { description: 'Invites that were accepted.', example: [] })
  invites!: ExportedInviteDto[];

  @ListOf(() => ExportedNetworkDto, {
    description: 'Networks of sign-ins, as keyed hashes.',
    example: [],
  })
  networks!: ExportedNetworkDto[];

  @ListOf(() => ExportedProgramDto)
  programs!: ExportedProgramDto[];
}
