import { Column, Entity, PrimaryColumn } from 'typeorm';
import type { Mode } from '../../rules/values/mode';

/** How many commissions a programme has per day, status and currency. */
@Entity({ name: 'commission_day_counts' })
export class CommissionDayCount {
  @PrimaryColumn('uuid', { primaryKeyConstraintName: 'pk_commission_day_counts' })
  workspaceId!: string;
  @PrimaryColumn('text', { primaryKeyConstraintName: 'pk_commission_day_counts' }) mode!: Mode;
  @PrimaryColumn('uuid', { primaryKeyConstraintName: 'pk_commission_day_counts' })
  programId!: string;
  @PrimaryColumn('date', { primaryKeyConstraintName: 'pk_commission_day_counts' }) day!: string;
  @PrimaryColumn('text', { primaryKeyConstraintName: 'pk_commission_day_counts' }) status!: string;
  @PrimaryColumn('boolean', { primaryKeyConstraintName: 'pk_commission_day_counts' })
  needsReview!: boolean;
  @PrimaryColumn('text', { primaryKeyConstraintName: 'pk_commission_day_counts' })
  currency!: string;
  @Column('bigint') commissions!: number;
  @Column('bigint') amountCents!: number;
}
