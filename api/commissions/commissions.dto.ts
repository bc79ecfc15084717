import { actorTypes, type Actor } from '../../entities/rules/values/actor';
import {
  commissionStatuses,
  commissionTriggers,
  type CommissionStatus,
} from '../../entities/rules/commissions/status';
import {
  commissionBases,
  commissionKinds,
  commissionTypes,
} from '../../entities/rules/programs/terms';
import { reviewReasons } from '../../entities/rules/commissions/review-reasons';
import { ledgerEntryTypes } from '../../entities/rules/commissions/settlement';
import {
  AnyText,
  Flag,
  Instant,
  Int,
  ListOf,
  Nested,
  OneOf,
  Text,
  Uuid,
  Uuids,
  Values,
} from '../http/contract/validators';

const cancelled = { min: 1, max: 500, example: 'The order was cancelled.' };

export class ApproveOverrideBody {
  @Text({
    min: 1,
    max: 500,
    description: 'Why the hold is set aside.',
    example: 'Long-standing partner.',
  })
  reason!: string;
}

export class RejectBody {
  @Text({ ...cancelled, description: 'The partner reads it.' })
  reason!: string;
}

export class BulkApproveBody {
  @Uuids({ min: 1, max: 100, distinct: true, description: '1 to 100, each once.' })
  commissionIds!: string[];
}

export class BulkRejectBody extends BulkApproveBody {
  @Text({ ...cancelled, description: 'The partners read it.' })
  reason!: string;
}

export class CommissionActorDto {
  @OneOf(actorTypes)
  type!: Actor['type'];

  @Uuid({
    nullable: true,
    description: 'The account, when a person decided.',
    example: '0198c0de-0000-7000-8000-000000000009',
  })
  id!: string | null;
}

/** The terms that applied at creation: later changes of the rules do not touch them. */
export class PinnedTermsDto {
  @AnyText({
    nullable: true,
    description: 'The rule that matched; null for the terms of group or programme.',
  })
  rule!: string | null;

  @OneOf(['rule', 'group', 'program'], {
    nullable: true,
    description:
      'Whose type, rate and amount these are; null where an earlier release pinned them.',
    example: 'program',
  })
  source!: string | null;

  @AnyText({ nullable: true, description: 'The name of that rule or group.' })
  name!: string | null;

  @Uuid({
    nullable: true,
    description: 'The group that the partner was in. Partners read null.',
  })
  groupId!: string | null;

  @AnyText({ nullable: true })
  groupName!: string | null;

  @Int({ nullable: true, description: "Whole months since the customer's first payment." })
  customerMonth!: number | null;

  @Int({ nullable: true, description: 'Which payment of its customer it was; 1 is the first.' })
  paymentNumber!: number | null;

  @OneOf(commissionTypes)
  type!: string;

  @Int({ nullable: true, description: 'Basis points, for percentages.' })
  rateBps!: number | null;

  @Int({ nullable: true, description: 'Minor units, for flat terms.', example: null })
  amountCents!: number | null;

  @OneOf(commissionBases, { nullable: true })
  basis!: string | null;

  @Flag()
  recurring!: boolean;

  @Int({ nullable: true })
  recurringMonths!: number | null;

  @Int()
  holdDays!: number;

  @Flag()
  autoApprove!: boolean;
}

/** What a partner may see of a commission. */
export class PartnerCommissionDto {
  @Uuid()
  id!: string;

  @Uuid()
  programId!: string;

  @AnyText()
  programName!: string;

  @Uuid()
  participantId!: string;

  @AnyText()
  partnerName!: string;

  @Uuid({
    nullable: true,
    description: 'Null for an adjustment.',
  })
  conversionId!: string | null;

  @OneOf(commissionStatuses, { example: 'approved' })
  status!: CommissionStatus;

  @OneOf(commissionKinds)
  commissionType!: string;

  @Int({ description: "Due now, minor units; negative for an adjustment to the partner's debit." })
  amountCents!: number;

  @Int({ description: 'Due without refunds.', example: 980 })
  originalAmountCents!: number;

  @AnyText({
    nullable: true,
    description: 'Why the merchant adjusted the balance; null for a sale.',
  })
  adjustmentReason!: string | null;

  @Int({ min: 0, description: 'What refunds and lost disputes took off.' })
  refundedAmountCents!: number;

  @AnyText({ description: 'ISO 4217, lower case.' })
  currency!: string;

  @Int({ min: 0 })
  conversionAmountCents!: number;

  @Int({ nullable: true, description: "The processor's fee, once it is known." })
  feeCents!: number | null;

  @Nested(() => PinnedTermsDto, { nullable: true, description: 'Null for an imported one.' })
  terms!: PinnedTermsDto | null;

  @Flag()
  needsReview!: boolean;

  @Instant({ nullable: true })
  holdUntil!: string | null;

  @Flag({ description: 'Pending, and holdUntil is ahead.' })
  holdActive!: boolean;

  @AnyText({ nullable: true })
  rejectionReason!: string | null;

  @Instant({ nullable: true, example: '2026-02-10T08:00:00.000Z' })
  approvedAt!: string | null;

  @Instant({ nullable: true })
  rejectedAt!: string | null;

  @Instant({ nullable: true })
  paidAt!: string | null;

  @Instant({ nullable: true, description: 'The last refund that took something off.' })
  refundedAt!: string | null;

  @Uuid({ nullable: true })
  payoutId!: string | null;

  @Instant()
  createdAt!: string;

  @Instant()
  updatedAt!: string;
}

/** The whole record, for the merchant. */
export class CommissionDto extends PartnerCommissionDto {
  @AnyText({ nullable: true, description: "Of an adjustment the merchant's id of it, if any." })
  externalTransactionId!: string | null;

  @Values({
    item: { type: 'string', enum: [...reviewReasons] },
    valid: (item) => reviewReasons.some((reason) => reason === item),
    message: 'each item must be a review reason',
    description: 'Why it is to be reviewed; needsReview is true exactly when there is one.',
  })
  reviewReasons!: string[];

  @AnyText({ nullable: true, example: 'Long-standing partner.' })
  overrideReason!: string | null;

  @Nested(() => CommissionActorDto, { nullable: true, description: 'Who approved or rejected it.' })
  decidedBy!: CommissionActorDto | null;
}

class MoveDto {
  @OneOf(commissionStatuses, { nullable: true })
  from!: CommissionStatus | null;

  @OneOf(commissionStatuses)
  to!: CommissionStatus;

  @OneOf(commissionTriggers)
  trigger!: string;
}

export class HistoryEntryDto extends MoveDto {
  @Nested(() => CommissionActorDto)
  actor!: CommissionActorDto;

  @AnyText({ nullable: true })
  reason!: string | null;

  @Instant()
  at!: string;
}

export class LedgerEntryDto {
  @Uuid()
  id!: string;

  @OneOf(ledgerEntryTypes)
  type!: string;

  @Int({ description: 'Signed, minor units.' })
  amountCents!: number;

  @AnyText()
  currency!: string;

  @Instant()
  createdAt!: string;
}

export class CommissionDetailDto extends CommissionDto {
  @ListOf(() => HistoryEntryDto, {
    description: 'Oldest first. An entry with from = to is a partial refund.',
  })
  history!: HistoryEntryDto[];

  @ListOf(() => LedgerEntryDto, { description: 'Oldest first; its sum is what is still owed.' })
  ledger!: LedgerEntryDto[];
}

export class PartnerHistoryEntryDto extends MoveDto {
  @AnyText({ nullable: true, description: 'Of a rejection.' })
  reason!: string | null;

  @Instant()
  at!: string;
}

export class PartnerCommissionDetailDto extends PartnerCommissionDto {
  @ListOf(() => PartnerHistoryEntryDto, { description: 'Oldest first.' })
  history!: PartnerHistoryEntryDto[];

  @ListOf(() => LedgerEntryDto, { description: 'Oldest first; its sum is what is still owed.' })
  ledger!: LedgerEntryDto[];
}
