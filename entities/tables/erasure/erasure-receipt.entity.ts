import { Check, Column, Entity, Index, PrimaryColumn } from 'typeorm';
import type { ReceiptKind } from '../../rules/erasure/erasure';
import type { Mode } from '../../rules/values/mode';

/** What is not paid yet of one participation, in one currency, in minor units. */
export interface OpenSum {
  currency: string;
  pendingCents: number;
  approvedCents: number;
}

/**
 * What an erasure changed: one receipt for each participation, in its workspace and mode, one
 * without a workspace for an account, and one for the invites, or the buyer, that a merchant had erased,
 * in each mode.
 */
@Index('uq_erasure_receipt', ['erasureId', 'participantId'], {
  unique: true,
  where: 'participant_id IS NOT NULL',
})
@Check('ck_erasure_receipts_kind', `kind IN ('account', 'participant', 'invites', 'customer')`)
@Check('ck_erasure_receipts_mode', `mode IN ('test', 'live')`)
@Entity({ name: 'erasure_receipts' })
export class ErasureReceipt {
  @PrimaryColumn('uuid') id!: string;
  @Column('uuid', { nullable: true }) erasureId!: string | null;
  @Column('text') kind!: ReceiptKind;
  @Column('uuid', { nullable: true }) workspaceId!: string | null;
  @Column('text', { nullable: true }) mode!: Mode | null;
  @Column('uuid', { nullable: true }) programId!: string | null;
  @Column('uuid', { nullable: true }) participantId!: string | null;
  /** Rows changed, by table. */
  @Column('jsonb') changes!: Record<string, number>;
  /** What was not paid yet when the participation was erased. */
  @Column('jsonb') openBalances!: OpenSum[];
  @Column('timestamptz') erasedAt!: Date;
  @Column('timestamptz', { nullable: true }) completedAt!: Date | null;
}
