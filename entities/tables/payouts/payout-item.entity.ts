import { Check, Column, Entity, PrimaryColumn, Unique } from 'typeorm';
import type { PayoutItemStatus } from '../../rules/payouts/status';
import type { Mode } from '../../rules/values/mode';

/** What one partner gets in one currency by a payout, and what became of it. */
@Check('ck_payout_items_positive', `amount_cents > 0`)
@Check('ck_payout_items_status', `status IN ('ready', 'paid', 'failed', 'returned', 'cancelled')`)
@Unique('uq_payout_item', ['payoutId', 'participantId', 'currency'])
@Unique('uq_payout_item_reference', ['reference'])
@Entity({ name: 'payout_items' })
export class PayoutItem {
  @PrimaryColumn({ type: 'uuid' })
  id!: string;

  @Column({ name: 'workspace_id', type: 'uuid', update: false })
  workspaceId!: string;

  @Column({ type: 'text', update: false })
  mode!: Mode;

  @Column({ name: 'payout_id', type: 'uuid', update: false })
  payoutId!: string;

  @Column({ name: 'participant_id', type: 'uuid', update: false })
  participantId!: string;

  @Column({ type: 'text', update: false })
  currency!: string;

  @Column({ name: 'amount_cents', type: 'bigint', update: false })
  amountCents!: number;

  @Column({ name: 'commission_count', type: 'int', update: false })
  commissionCount!: number;

  /** What banks and processors know it by: `po` and 20 of a-z and 0-9. */
  @Column({ type: 'text', update: false })
  reference!: string;

  /** How the partner was to be paid when the payout was made; null: they had not said. */
  @Column({ name: 'method_type', type: 'text', nullable: true })
  methodType!: string | null;

  /** The same for people, masked. */
  @Column({ name: 'method_label', type: 'text', nullable: true })
  methodLabel!: string | null;

  @Column({ type: 'text' })
  status!: PayoutItemStatus;

  @Column({ name: 'transaction_id', type: 'text', nullable: true })
  transactionId!: string | null;

  /** Why it failed or came back. */
  @Column({ type: 'text', nullable: true })
  reason!: string | null;

  /** Of the first file that held it. */
  @Column({ name: 'exported_at', type: 'timestamptz', nullable: true })
  exportedAt!: Date | null;

  @Column({ name: 'paid_at', type: 'timestamptz', nullable: true })
  paidAt!: Date | null;

  /** Since when it has failed, come back or been cancelled. */
  @Column({ name: 'ended_at', type: 'timestamptz', nullable: true })
  endedAt!: Date | null;
}
