import { Column, Entity, PrimaryColumn } from 'typeorm';
import type { Mode } from '../../rules/values/mode';

/** How many commissions a programme has per day, status and currency. */
@Entity({ name: 'commission_day_counts' })
export class CommissionDayCount {
  @PrimaryColumn({
    primaryKeyConstraintName: 'pk_commission_day_counts',
    name: 'workspace_id',
    type: 'uuid',
  })
  workspaceId!: string;

  @PrimaryColumn({ primaryKeyConstraintName: 'pk_commission_day_counts', type: 'text' })
  mode!: Mode;

  @PrimaryColumn({
    primaryKeyConstraintName: 'pk_commission_day_counts',
    name: 'program_id',
    type: 'uuid',
  })
  programId!: string;

  @PrimaryColumn({ primaryKeyConstraintName: 'pk_commission_day_counts', type: 'date' })
  day!: string;

  @PrimaryColumn({ primaryKeyConstraintName: 'pk_commission_day_counts', type: 'text' })
  status!: string;

  @PrimaryColumn({
    primaryKeyConstraintName: 'pk_commission_day_counts',
    name: 'needs_review',
    type: 'boolean',
  })
  needsReview!: boolean;

  @PrimaryColumn({ primaryKeyConstraintName: 'pk_commission_day_counts', type: 'text' })
  currency!: string;

  @Column({ type: 'bigint' })
  commissions!: number;

  @Column({ name: 'amount_cents', type: 'bigint' })
  amountCents!: number;
}
