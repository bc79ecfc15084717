import { Check, Column, Entity, PrimaryColumn } from 'typeorm';

/** One row: how far clicks are folded. */
@Entity({ name: 'analytics_state' })
@Check('ck_analytics_state_one', 'id = 1')
export class AnalyticsState {
  @PrimaryColumn('int', { primaryKeyConstraintName: 'pk_analytics_state' }) id!: number;
  /** Clicks recorded in earlier transactions than this one are in the sums. */
  @Column('bigint') foldedBefore!: number;
}
