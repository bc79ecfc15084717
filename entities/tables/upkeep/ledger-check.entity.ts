import { Check, Column, Entity, PrimaryColumn } from 'typeorm';

/** How far the check of ledgers has come; one row. */
@Entity({ name: 'ledger_checks' })
@Check('ck_ledger_checks_one', 'id = 1')
export class LedgerCheck {
  @PrimaryColumn('int', { primaryKeyConstraintName: 'pk_ledger_checks' }) id!: number;
  /** The last entry that was seen, by its time and id. */
  @Column('timestamptz') changedAt!: Date;
  @Column('uuid') changedId!: string;
  /** The last commission of those that are compared by and by; null for the beginning. */
  @Column('uuid', { nullable: true }) restAfter!: string | null;
}
