import { Check, Column, Entity, PrimaryColumn, Unique } from 'typeorm';
import type {
  BatchAnswer,
  BatchAttention,
  PayoutBatchStatus,
} from '../../rules/payouts/batch-status';
import type { PayoutProviderName } from '../../rules/payouts/providers';
import type { Mode } from '../../rules/values/mode';

/** Items of one payout and currency that are sent to a provider at once. */
@Check('ck_payout_batches_status', `status IN ('trying', 'taken', 'ended', 'refused', 'attention')`)
@Check('ck_payout_batches_mode', `mode IN ('test', 'live')`)
@Unique('uq_payout_batch_sender', ['workspaceId', 'mode', 'provider', 'senderBatchId'])
@Entity({ name: 'payout_batches' })
export class PayoutBatch {
  @PrimaryColumn('uuid') id!: string;
  @Column('uuid') workspaceId!: string;
  @Column('text') mode!: Mode;
  @Column('uuid') payoutId!: string;
  @Column('text') provider!: PayoutProviderName;
  /** The account that every try and question uses. */
  @Column('text') clientId!: string;
  /** The id by which the provider knows a batch that it has seen before. */
  @Column('text') senderBatchId!: string;
  /** The provider's own id, once it has surely taken the batch. */
  @Column('text', { nullable: true }) providerBatchId!: string | null;
  /** The id of a batch that the provider named as ours, and that does not look like it. */
  @Column('text', { nullable: true }) candidateId!: string | null;
  /** The provider's last word of the whole. */
  @Column('text', { nullable: true }) providerStatus!: string | null;
  @Column('text') currency!: string;
  @Column('int') itemCount!: number;
  @Column('bigint') amountCents!: number;
  @Column('text') status!: PayoutBatchStatus;
  @Column('text', { nullable: true }) attentionReason!: BatchAttention | null;
  /** The bytes of each try, encrypted; they go once nothing may be said any more. */
  @Column('text', { nullable: true }) request!: string | null;
  /** Begun: each is counted before its first byte. */
  @Column('int') tries!: number;
  /** A try may have been taken. */
  @Column('boolean') isInDoubt!: boolean;
  @Column('timestamptz', { nullable: true }) firstTryAt!: Date | null;
  @Column('timestamptz', { nullable: true }) takenAt!: Date | null;
  @Column('int') asks!: number;
  @Column('timestamptz', { nullable: true }) askedAt!: Date | null;
  /** When a person asked for a question last. */
  @Column('timestamptz', { nullable: true }) askWantedAt!: Date | null;
  /** The time since which the provider does not know the batch, or lists less than all of it. */
  @Column('timestamptz', { nullable: true }) missingSince!: Date | null;
  /** When admins were told that the provider does not answer. */
  @Column('timestamptz', { nullable: true }) unknownToldAt!: Date | null;
  @Column('jsonb', { nullable: true }) lastAnswer!: BatchAnswer | null;
  /** Who asks the provider now, and until when nobody else does. */
  @Column('uuid', { nullable: true }) leaseToken!: string | null;
  @Column('timestamptz', { nullable: true }) leaseUntil!: Date | null;
  /** When there is something to do next; null: nothing. */
  @Column('timestamptz', { nullable: true }) nextAt!: Date | null;
  @Column('timestamptz') createdAt!: Date;
  @Column('timestamptz', { nullable: true }) endedAt!: Date | null;
}
