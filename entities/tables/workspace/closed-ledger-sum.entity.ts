import { Check, Column, Entity, PrimaryColumn } from 'typeorm';
import type { Mode } from '../../rules/values/mode';

const primaryKeyConstraintName = 'pk_closed_ledger_sums';

/** What the ledger of a workspace that was closed summed up to, by UTC year, currency and type. */
@Check('ck_closed_ledger_sums_mode', `mode IN ('test', 'live')`)
@Entity({ name: 'closed_ledger_sums' })
export class ClosedLedgerSum {
  @PrimaryColumn('uuid', { primaryKeyConstraintName }) workspaceId!: string;
  @PrimaryColumn('text', { primaryKeyConstraintName }) mode!: Mode;
  @PrimaryColumn('int', { primaryKeyConstraintName }) year!: number;
  @PrimaryColumn('text', { primaryKeyConstraintName }) currency!: string;
  @PrimaryColumn('text', { primaryKeyConstraintName }) type!: string;
  @Column('bigint') entries!: number;
  /** The sum in minor units, signed. */
  @Column('bigint') amountCents!: number;
}
