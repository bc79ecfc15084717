import { Check, Column, Entity, PrimaryColumn } from 'typeorm';
import type { BatchOutcome } from '../../rules/payouts/batch-status';

/** An item in a batch, and what became of it by that batch; one that is sent again is in several. */
@Check(
  'ck_payout_batch_items_outcome',
  `outcome IN ('sending', 'released', 'paid', 'failed', 'returned')`,
)
@Entity({ name: 'payout_batch_items' })
export class PayoutBatchItem {
  @PrimaryColumn('uuid') batchId!: string;
  @PrimaryColumn('uuid') itemId!: string;
  /** The place in the request, from 0. */
  @Column('int') place!: number;
  @Column('bigint') amountCents!: number;
  /** Keyed hash of whom it pays, by which an answer is compared; an erasure empties it. */
  @Column('text', { nullable: true }) addressHash!: string | null;
  @Column('text') outcome!: BatchOutcome;
  /** The provider's last word of it in this batch. */
  @Column('text', { nullable: true }) word!: string | null;
  /** The provider's transaction by which this batch paid it; an item may be paid by another one. */
  @Column('text', { nullable: true }) transactionId!: string | null;
}
