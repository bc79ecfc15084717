import { Column, Entity, PrimaryColumn } from 'typeorm';
import type { Mode } from '../../rules/values/mode';

/** A change of the day counts that is not folded in yet. */
@Entity({ name: 'commission_count_deltas' })
export class CommissionCountDelta {
  @PrimaryColumn('bigint') id!: number;
  @Column('uuid') workspaceId!: string;
  @Column('text') mode!: Mode;
  @Column('uuid') programId!: string;
  @Column('date') day!: string;
  @Column('text') status!: string;
  @Column('boolean') needsReview!: boolean;
  @Column('text') currency!: string;
  @Column('bigint') commissions!: number;
  @Column('bigint') amountCents!: number;
}
