import { Check, Column, Entity, Index, PrimaryColumn, Unique } from 'typeorm';
import type { Actor } from '../../rules/values/actor';
import type { PinnedTerms } from '../../rules/commissions/amount';
import type { CommissionStatus } from '../../rules/commissions/status';
import type { Mode } from '../../rules/values/mode';
import type { CommissionKind } from '../../rules/programs/terms';
import type { ReviewReason } from '../../rules/commissions/review-reasons';

/** What a partner earns by one conversion, as it stands now. */
@Check(
  'ck_commissions_amount',
  `CASE commission_type WHEN 'adjustment' THEN amount_cents <> 0 AND conversion_id IS NULL ELSE amount_cents >= 0 AND conversion_id IS NOT NULL AND external_transaction_id IS NOT NULL END`,
)
@Index('uq_adjustment_external', ['programId', 'externalTransactionId'], {
  unique: true,
  where: `commission_type = 'adjustment'`,
})
@Check('ck_commissions_before_refund', `(status_before_refund IS NOT NULL) = (status = 'refunded')`)
@Check('ck_commissions_mode', `mode IN ('test', 'live')`)
@Check('ck_commissions_status', `status IN ('pending', 'approved', 'rejected', 'paid', 'refunded')`)
@Unique('uq_commission_conversion', ['conversionId'])
@Entity({ name: 'commissions' })
export class Commission {
  @PrimaryColumn({ type: 'uuid' })
  id!: string;

  @Column({ name: 'workspace_id', type: 'uuid', update: false })
  workspaceId!: string;

  @Column({ type: 'text', update: false })
  mode!: Mode;

  @Column({ name: 'program_id', type: 'uuid', update: false })
  programId!: string;

  @Column({ name: 'participant_id', type: 'uuid', update: false })
  participantId!: string;

  /** Null for an adjustment. */
  @Column({ name: 'conversion_id', type: 'uuid', nullable: true, update: false })
  conversionId!: string | null;

  /** Of an adjustment the merchant's own id of it, where it has one. */
  @Column({ name: 'external_transaction_id', type: 'text', nullable: true, update: false })
  externalTransactionId!: string | null;

  /** Why a member adjusted the balance; null for what a sale earned. */
  @Column({ name: 'adjustment_reason', type: 'text', nullable: true })
  adjustmentReason!: string | null;

  @Column({ type: 'text' })
  status!: CommissionStatus;

  /** Where it returns to when the refund behind `refunded` fails. */
  @Column({ name: 'status_before_refund', type: 'text', nullable: true })
  statusBeforeRefund!: CommissionStatus | null;

  @Column({ name: 'commission_type', type: 'text', update: false })
  commissionType!: CommissionKind;

  /** What is due now. */
  @Column({ name: 'amount_cents', type: 'bigint' })
  amountCents!: number;

  /** What would be due without refunds. */
  @Column({ name: 'original_amount_cents', type: 'bigint' })
  originalAmountCents!: number;

  @Column({ name: 'refunded_amount_cents', type: 'bigint', insert: false, update: false })
  refundedAmountCents!: number;

  /** What an open dispute keeps back. */
  @Column({ name: 'held_cents', type: 'bigint' })
  heldCents!: number;

  /** The sum of its ledger entries. */
  @Column({ name: 'owed_cents', type: 'bigint' })
  owedCents!: number;

  /** How much of `owedCents` running payouts take. */
  @Column({ name: 'reserved_cents', type: 'bigint' })
  reservedCents!: number;

  @Column({ type: 'text', update: false })
  currency!: string;

  @Column({ name: 'conversion_amount_cents', type: 'bigint' })
  conversionAmountCents!: number;

  @Column({ name: 'fee_cents', type: 'bigint', nullable: true })
  feeCents!: number | null;

  /** The terms that applied at creation; never changed. */
  @Column({ type: 'jsonb', update: false })
  terms!: PinnedTerms;

  @Column({ name: 'auto_approve', type: 'boolean', update: false })
  autoApprove!: boolean;

  @Column({ name: 'review_reasons', type: 'text', array: true })
  reviewReasons!: ReviewReason[];

  @Column({ name: 'needs_review', type: 'boolean', insert: false, update: false })
  needsReview!: boolean;

  @Column({ name: 'hold_until', type: 'timestamptz', nullable: true })
  holdUntil!: Date | null;

  /** The end of the hold was dealt with. */
  @Column({ name: 'hold_elapsed', type: 'boolean' })
  holdElapsed!: boolean;

  @Column({ name: 'rejection_reason', type: 'text', nullable: true })
  rejectionReason!: string | null;

  @Column({ name: 'override_reason', type: 'text', nullable: true })
  overrideReason!: string | null;

  @Column({ name: 'decided_by_type', type: 'text', nullable: true })
  decidedByType!: Actor['type'] | null;

  @Column({ name: 'decided_by_id', type: 'uuid', nullable: true })
  decidedById!: string | null;

  @Column({ name: 'approved_at', type: 'timestamptz', nullable: true })
  approvedAt!: Date | null;

  @Column({ name: 'rejected_at', type: 'timestamptz', nullable: true })
  rejectedAt!: Date | null;

  @Column({ name: 'paid_at', type: 'timestamptz', nullable: true })
  paidAt!: Date | null;

  @Column({ name: 'refunded_at', type: 'timestamptz', nullable: true })
  refundedAt!: Date | null;

  /** The payout that takes or took it; null again when that is cancelled. */
  @Column({ name: 'payout_id', type: 'uuid', nullable: true })
  payoutId!: string | null;

  /** Grows with each change. */
  @Column({ type: 'int' })
  version!: number;

  /** Always the time inside the id. */
  @Column({ name: 'created_at', type: 'timestamptz', update: false })
  createdAt!: Date;

  @Column({ name: 'updated_at', type: 'timestamptz' })
  updatedAt!: Date;
}
