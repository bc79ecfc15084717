import { Check, Column, Entity, PrimaryColumn } from 'typeorm';
import type { Mode } from '../../rules/values/mode';

const primaryKeyConstraintName = 'pk_closed_ledger_sums';

/** What the ledger of a workspace that was closed summed up to, by UTC year, currency and type. */
@Check('ck_closed_ledger_sums_mode', `mode IN ('test', 'live')`)
@Entity({ name: 'closed_ledger_sums' })
export class ClosedLedgerSum {
  @PrimaryColumn({ name: 'workspace_id', type: 'uuid', primaryKeyConstraintName })
  workspaceId!: string;

  @PrimaryColumn({ type: 'text', primaryKeyConstraintName })
  mode!: Mode;

  @PrimaryColumn({ type: 'int', primaryKeyConstraintName })
  year!: number;

  @PrimaryColumn({ type: 'text', primaryKeyConstraintName })
  currency!: string;

  @PrimaryColumn({ type: 'text', primaryKeyConstraintName })
  type!: string;

  @Column({ type: 'bigint' })
  entries!: number;

  /** Signed minor units. */
  @Column({ name: 'amount_cents', type: 'bigint' })
  amountCents!: number;
}
