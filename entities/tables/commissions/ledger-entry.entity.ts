import { Check, Column, Entity, PrimaryColumn } from 'typeorm';
import type { Mode } from '../../rules/values/mode';
import type { LedgerEntryType } from '../../rules/commissions/settlement';

/** One signed amount of the ledger. Append-only: what is owed is the sum. */
@Check(
  'ck_ledger_type',
  `type IN ('accrual', 'adjustment', 'refund', 'fee_settlement', 'dispute_hold', 'dispute_release', 'reversal', 'clawback', 'recredit', 'payout', 'payout_reversal', 'import', 'paid_elsewhere')`,
)
@Entity({ name: 'ledger_entries' })
export class LedgerEntry {
  @PrimaryColumn('uuid', { primaryKeyConstraintName: 'pk_ledger_entries' }) id!: string;
  @Column('uuid') workspaceId!: string;
  @Column('text') mode!: Mode;
  @Column('uuid') programId!: string;
  @Column('uuid') participantId!: string;
  @Column('uuid') commissionId!: string;
  @Column('uuid', { nullable: true }) payoutId!: string | null;
  @Column('text') type!: LedgerEntryType;
  /** Signed, minor units. */
  @Column('bigint') amountCents!: number;
  @Column('text') currency!: string;
  @Column('timestamptz') createdAt!: Date;
}
