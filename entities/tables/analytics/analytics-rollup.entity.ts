import { Column, Entity, PrimaryColumn } from 'typeorm';
import type { Mode } from '../../rules/values/mode';

/** The sum of a quarter of an hour, a UTC day or a UTC month, of one participant, link and promo code. */
@Entity({ name: 'analytics_rollups' })
export class AnalyticsRollup {
  @Column('uuid') workspaceId!: string;
  @Column('text') mode!: Mode;
  @PrimaryColumn('uuid', { primaryKeyConstraintName: 'pk_analytics_rollups' }) programId!: string;
  @PrimaryColumn('text', { primaryKeyConstraintName: 'pk_analytics_rollups' }) measure!: string;
  /** 15, 1440, or 43200 for a UTC month. */
  @PrimaryColumn('int', { primaryKeyConstraintName: 'pk_analytics_rollups' }) minutes!: number;
  @PrimaryColumn('timestamptz', { primaryKeyConstraintName: 'pk_analytics_rollups' }) start!: Date;
  @PrimaryColumn('uuid', { primaryKeyConstraintName: 'pk_analytics_rollups' })
  participantId!: string;
  /** The nil UUID for none. */
  @PrimaryColumn('uuid', { primaryKeyConstraintName: 'pk_analytics_rollups' }) linkId!: string;
  /** Empty for none. */
  @PrimaryColumn('text', { primaryKeyConstraintName: 'pk_analytics_rollups' }) promoCode!: string;
  @Column('bigint') value!: number;
}
