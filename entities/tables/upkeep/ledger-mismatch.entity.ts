import { Column, Entity, PrimaryColumn } from 'typeorm';

/** A commission whose owed sum was not that of its ledger when it was last compared. */
@Entity({ name: 'ledger_mismatches' })
export class LedgerMismatch {
  @PrimaryColumn('uuid', { primaryKeyConstraintName: 'pk_ledger_mismatches' })
  commissionId!: string;
  @Column('timestamptz') foundAt!: Date;
}
