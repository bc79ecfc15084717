import { Column, Entity, PrimaryColumn } from 'typeorm';
import type { Mode } from '../../rules/values/mode';

/** The sum of a quarter of an hour, a UTC day or a UTC month, of a whole programme. */
@Entity({ name: 'analytics_totals' })
export class AnalyticsTotal {
  @Column('uuid') workspaceId!: string;
  @Column('text') mode!: Mode;
  @PrimaryColumn('uuid', { primaryKeyConstraintName: 'pk_analytics_totals' }) programId!: string;
  @PrimaryColumn('text', { primaryKeyConstraintName: 'pk_analytics_totals' }) measure!: string;
  /** 15, 1440, or 43200 for a UTC month. */
  @PrimaryColumn('int', { primaryKeyConstraintName: 'pk_analytics_totals' }) minutes!: number;
  @PrimaryColumn('timestamptz', { primaryKeyConstraintName: 'pk_analytics_totals' }) start!: Date;
  @Column('bigint') value!: number;
}
