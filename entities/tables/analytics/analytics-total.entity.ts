import { Column, Entity, PrimaryColumn } from 'typeorm';
import type { Mode } from '../../rules/values/mode';

/** The sum of a quarter of an hour, a UTC day or a UTC month, of a whole programme. */
@Entity({ name: 'analytics_totals' })
export class AnalyticsTotal {
  @Column({ name: 'workspace_id', type: 'uuid' })
  workspaceId!: string;

  @Column({ type: 'text' })
  mode!: Mode;

  @PrimaryColumn({
    name: 'program_id',
    type: 'uuid',
    primaryKeyConstraintName: 'pk_analytics_totals',
  })
  programId!: string;

  @PrimaryColumn({ type: 'text', primaryKeyConstraintName: 'pk_analytics_totals' })
  measure!: string;

  /** 15, 1440, or 43200 for a UTC month. */
  @PrimaryColumn({ type: 'int', primaryKeyConstraintName: 'pk_analytics_totals' })
  minutes!: number;

  @PrimaryColumn({ type: 'timestamptz', primaryKeyConstraintName: 'pk_analytics_totals' })
  start!: Date;

  @Column({ type: 'bigint' })
  value!: number;
}
