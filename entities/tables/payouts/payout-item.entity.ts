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
  @PrimaryColumn('uuid') id!: string;
  @Column({ type: 'uuid', update: false }) workspaceId!: string;
  @Column({ type: 'text', update: false }) mode!: Mode;
  @Column({ type: 'uuid', update: false }) payoutId!: string;
  @Column({ type: 'uuid', update: false }) participantId!: string;
  @Column({ type: 'text', update: false }) currency!: string;
  @Column({ type: 'bigint', update: false }) amountCents!: number;
  @Column({ type: 'int', update: false }) commissionCount!: number;
  /** What banks and processors know it by: `po` and 20 of a-z and 0-9. */
  @Column({ type: 'text', update: false }) reference!: string;
  /** How the partner was to be paid when the payout was made; null: they had not said. */
  @Column('text', { nullable: true }) methodType!: string | null;
  /** The same for people, masked. */
  @Column('text', { nullable: true }) methodLabel!: string | null;
  /** The whole of it, in the box of the account that said it; an erasure empties it. */
  @Column('text', { nullable: true }) methodEncrypted!: string | null;
  /** The account whose box it is. */
  @Column({ type: 'uuid', update: false, nullable: true }) methodAccountId!: string | null;
  @Column('text') status!: PayoutItemStatus;
  @Column('text', { nullable: true }) transactionId!: string | null;
  /** Why it failed or came back. */
  @Column('text', { nullable: true }) reason!: string | null;
  /** Payments and returns that reports have told of it: `paid T1`, `back T2` (rules/payouts). */
  @Column('text', { array: true }) reports!: string[];
  /** Of the first file that held it, or export. */
  @Column('timestamptz', { nullable: true }) exportedAt!: Date | null;
  @Column('timestamptz', { nullable: true }) paidAt!: Date | null;
  /** Since when it has failed, come back or been cancelled. */
  @Column('timestamptz', { nullable: true }) endedAt!: Date | null;
  /** When it ceased to be ready, whatever it became since. */
  @Column('timestamptz', { nullable: true }) settledAt!: Date | null;
  /** When its partner said last that it was not received. */
  @Column('timestamptz', { nullable: true }) notReceivedAt!: Date | null;
}
