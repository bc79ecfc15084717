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
  `CASE commission_type WHEN 'adjustment' THEN amount_cents <> 0 AND conversion_id IS NULL WHEN 'imported' THEN amount_cents >= 0 WHEN 'bonus' THEN amount_cents >= 0 ELSE amount_cents >= 0 AND conversion_id IS NOT NULL AND external_transaction_id IS NOT NULL END`,
)
@Index('uq_adjustment_external', ['programId', 'externalTransactionId'], {
  unique: true,
  where: `commission_type = 'adjustment'`,
})
@Check('ck_commissions_before_refund', `(status_before_refund IS NOT NULL) = (status = 'refunded')`)
@Check('ck_commissions_mode', `mode IN ('test', 'live')`)
@Check('ck_commissions_status', `status IN ('pending', 'approved', 'rejected', 'paid', 'refunded')`)
@Unique('uq_commission_credit', ['conversionId', 'participantId'])
@Entity({ name: 'commissions' })
export class Commission {
  @PrimaryColumn('uuid') id!: string;
  @Column({ type: 'uuid', update: false }) workspaceId!: string;
  @Column({ type: 'text', update: false }) mode!: Mode;
  @Column({ type: 'uuid', update: false }) programId!: string;
  @Column({ type: 'uuid', update: false }) participantId!: string;
  /** Null for an adjustment. */
  @Column({ type: 'uuid', nullable: true, update: false }) conversionId!: string | null;
  /** The merchant's own id of an adjustment, where it has one. */
  @Column({ type: 'text', nullable: true, update: false }) externalTransactionId!: string | null;
  /** Why a member adjusted the balance; null for what a sale earned. */
  @Column('text', { nullable: true }) adjustmentReason!: string | null;
  /** An adjustment that only books a debt off, and is never paid by itself. */
  @Column({ type: 'text', nullable: true, update: false }) adjustmentKind!: 'write_off' | null;
  @Column('text') status!: CommissionStatus;
  /** Where it returns to when the refund behind `refunded` fails. */
  @Column('text', { nullable: true }) statusBeforeRefund!: CommissionStatus | null;
  @Column('text') commissionType!: CommissionKind;
  /** Its conversion is credited to its partner, and earns; else it was taken back and counts as none. */
  @Column('boolean') credited!: boolean;
  /** What is due now. */
  @Column('bigint') amountCents!: number;
  /** What would be due without refunds. */
  @Column('bigint') originalAmountCents!: number;
  @Column({ type: 'bigint', insert: false, update: false }) refundedAmountCents!: number;
  /** What an open dispute keeps back. */
  @Column('bigint') heldCents!: number;
  /** The sum of its ledger entries. */
  @Column('bigint') owedCents!: number;
  /** How much of `owedCents` running payouts take. */
  @Column('bigint') reservedCents!: number;
  @Column({ type: 'text', update: false }) currency!: string;
  @Column('bigint') conversionAmountCents!: number;
  @Column('bigint', { nullable: true }) feeCents!: number | null;
  /** The terms that apply: pinned, and chosen anew only where the facts of an unpaid sale change. */
  @Column('jsonb') terms!: PinnedTerms;
  @Column('boolean') autoApprove!: boolean;
  @Column('text', { array: true }) reviewReasons!: ReviewReason[];
  @Column({ type: 'boolean', insert: false, update: false }) needsReview!: boolean;
  @Column('timestamptz', { nullable: true }) holdUntil!: Date | null;
  /** The end of the hold was dealt with. */
  @Column('boolean') holdElapsed!: boolean;
  @Column('text', { nullable: true }) rejectionReason!: string | null;
  @Column('text', { nullable: true }) overrideReason!: string | null;
  @Column('text', { nullable: true }) decidedByType!: Actor['type'] | null;
  @Column('uuid', { nullable: true }) decidedById!: string | null;
  @Column('timestamptz', { nullable: true }) approvedAt!: Date | null;
  @Column('timestamptz', { nullable: true }) rejectedAt!: Date | null;
  @Column('timestamptz', { nullable: true }) paidAt!: Date | null;
  @Column('timestamptz', { nullable: true }) refundedAt!: Date | null;
  /** The payout that takes or took it; null again when that is cancelled. */
  @Column('uuid', { nullable: true }) payoutId!: string | null;
  /** Grows with each change. */
  @Column('int') version!: number;
  /** The time inside the id, always. */
  @Column({ type: 'timestamptz', update: false }) createdAt!: Date;
  @Column('timestamptz') updatedAt!: Date;
}
