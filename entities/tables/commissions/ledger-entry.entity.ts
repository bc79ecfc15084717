import { Check, Column, Entity, PrimaryColumn } from 'typeorm';
import type { Mode } from '../../rules/values/mode';
import type { LedgerEntryType } from '../../rules/commissions/settlement';

/** One signed amount of the ledger. Append-only: what is owed is the sum. */
@Check(
  'ck_ledger_type',
  `type IN ('accrual', 'adjustment', 'refund', 'fee_settlement', 'dispute_hold', 'dispute_release', 'reversal', 'clawback', 'payout', 'payout_reversal')`,
)
@Entity({ name: 'ledger_entries' })
export class LedgerEntry {
  @PrimaryColumn({ primaryKeyConstraintName: 'pk_ledger_entries', type: 'uuid' })
  id!: string;

  @Column({ name: 'workspace_id', type: 'uuid' })
  workspaceId!: string;

  @Column({ type: 'text' })
  mode!: Mode;

  @Column({ name: 'program_id', type: 'uuid' })
  programId!: string;

  @Column({ name: 'participant_id', type: 'uuid' })
  participantId!: string;

  @Column({ name: 'commission_id', type: 'uuid' })
  commissionId!: string;

  @Column({ name: 'payout_id', type: 'uuid', nullable: true })
  payoutId!: string | null;

  @Column({ type: 'text' })
  type!: LedgerEntryType;

  /** Signed, minor units. */
  @Column({ name: 'amount_cents', type: 'bigint' })
  amountCents!: number;

  @Column({ type: 'text' })
  currency!: string;

  @Column({ name: 'created_at', type: 'timestamptz' })
  createdAt!: Date;
}
