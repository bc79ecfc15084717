import { commissionStatuses } from '../../entities/rules/commissions/status';
import { commissionTypes } from '../../entities/rules/programs/terms';
import { payoutStatuses } from '../../entities/rules/payouts/status';
import {
  AnyText,
  Instant,
  Int,
  Json,
  ListOf,
  Nested,
  OneOf,
  Uuid,
} from '../http/contract/validators';
import { ParticipantDto, participantExample } from '../participants/participants.dto';

const nullable = { nullable: true } as const;

export class ExportedLinkDto {
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
}

export class ExportedPromoCodeDto {
  @AnyText()
  code!: string;

  @Instant()
  createdAt!: string;
}

export class ExportedPayoutDto {
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

/** What a partner and a merchant both see of a commission. */
export class ExportedCommissionDto {
  @Uuid()
  id!: string;

  @Uuid()
  conversionId!: string;

  @AnyText({ optional: true, description: "In a merchant's export only." })
  externalTransactionId?: string;

  @OneOf(commissionStatuses)
  status!: string;

  @OneOf(commissionTypes)
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

  @Uuid(nullable)
  payoutId!: string | null;

  @Instant()
  createdAt!: string;
}

/** A participation with everything that hangs on it. */
class ParticipationBundle {
  @Nested(() => ParticipantDto)
  participant!: ParticipantDto;

  @ListOf(() => ExportedLinkDto)
  links!: ExportedLinkDto[];

  @ListOf(() => ExportedPromoCodeDto)
  promoCodes!: ExportedPromoCodeDto[];

  @ListOf(() => ExportedCommissionDto, { description: 'Oldest first.' })
  commissions!: ExportedCommissionDto[];

  @ListOf(() => ExportedPayoutDto, { description: 'What each payout brings, by currency.' })
  payouts!: ExportedPayoutDto[];
}

export class ExportedNameDto {
  @AnyText()
  name!: string;

  @AnyText()
  email!: string;
}

export class PartnerExportDto extends ParticipationBundle {
  @Nested(() => ExportedNameDto)
  account!: ExportedNameDto;
}

export class ExportedProgramDto extends ParticipationBundle {
  @AnyText()
  programName!: string;
}

export class ExportedAccountDto extends ExportedNameDto {
  @Uuid({ description: 'The gpaId.' })
  id!: string;

  @AnyText(nullable)
  vatId!: string | null;

  @Json(nullable)
  payoutDetails!: Record<string, unknown> | null;

  @Instant()
  createdAt!: string;
}

export class AccountExportDto {
  @Nested(() => ExportedAccountDto)
  account!: ExportedAccountDto;

  @ListOf(() => ExportedProgramDto)
  programs!: ExportedProgramDto[];
}

const { partnerName, partnerEmail, partnerGpaId, createdAt } = participantExample;
const name = { name: partnerName, email: partnerEmail };
const emptyBundle = {
  participant: participantExample,
  links: [],
  promoCodes: [{ code: 'SUMMER-24', createdAt }],
  commissions: [],
  payouts: [],
};

export const partnerExportExample: PartnerExportDto = { account: name, ...emptyBundle };

export const accountExportExample: AccountExportDto = {
  account: { id: partnerGpaId, ...name, vatId: null, payoutDetails: null, createdAt },
  programs: [{ programName: 'Tea shop', ...emptyBundle }],
};
