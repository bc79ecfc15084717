import { Check, Column, Entity, PrimaryColumn, Unique } from 'typeorm';
import type { PayoutItemStatus } from '../../rules/payouts/status';
import type { ItemAttention } from '../../rules/payouts/batch-status';
import type { PayoutProviderName } from '../../rules/payouts/providers';
import type { Mode } from '../../rules/values/mode';

/** What one partner gets in one currency by a payout, and what became of it. */
@Check('ck_payout_items_positive', `amount_cents > 0`)
@Check(
  'ck_payout_items_status',
  `status IN ('ready', 'sending', 'paid', 'failed', 'returned', 'cancelled')`,
)
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
  /** When the first file held it, or the first export. */
  @Column('timestamptz', { nullable: true }) exportedAt!: Date | null;
  @Column('timestamptz', { nullable: true }) paidAt!: Date | null;
  /** The time since which it has failed, come back or been cancelled. */
  @Column('timestamptz', { nullable: true }) endedAt!: Date | null;
  /** When it ceased to be ready, whatever it became since. */
  @Column('timestamptz', { nullable: true }) settledAt!: Date | null;
  /** When its partner said last that it was not received. */
  @Column('timestamptz', { nullable: true }) notReceivedAt!: Date | null;
  /** Who was told to pay it; null while it is ready. */
  @Column('text', { nullable: true }) provider!: PayoutProviderName | null;
  /** The last batch that it was in. */
  @Column('uuid', { nullable: true }) batchId!: string | null;
  @Column('text', { nullable: true }) providerItemId!: string | null;
  /** The provider's last word of it. */
  @Column('text', { nullable: true }) providerStatus!: string | null;
  @Column('bigint', { nullable: true }) feeCents!: number | null;
  @Column('text', { nullable: true }) feeCurrency!: string | null;
  @Column('timestamptz', { nullable: true }) sentAt!: Date | null;
  /** How often it was in a batch. */
  @Column('int') sends!: number;
  /** The time until which its partner has to fetch it. */
  @Column('timestamptz', { nullable: true }) claimUntil!: Date | null;
  /** Why a person has to check it. */
  @Column('text', { nullable: true }) attentionReason!: ItemAttention | null;
  @Column('timestamptz', { nullable: true }) attentionAt!: Date | null;
  /** What a person has checked: a reason and the word that was its reason. */
  @Column('text', { array: true }) checked!: string[];
  /** When the method that it pays was said; null: by an earlier release. */
  @Column('timestamptz', { nullable: true }) methodSaidAt!: Date | null;
}
