import { Column, Entity, PrimaryColumn } from 'typeorm';
import type { Mode } from '../../rules/values/mode';

/** The sum of a quarter of an hour, a UTC day or a UTC month, of one participant, link and promo code. */
@Entity({ name: 'analytics_rollups' })
export class AnalyticsRollup {
  @Column({ name: 'workspace_id', type: 'uuid' })
  workspaceId!: string;

  @Column({ type: 'text' })
  mode!: Mode;

  @PrimaryColumn({
    name: 'program_id',
    type: 'uuid',
    primaryKeyConstraintName: 'pk_analytics_rollups',
  })
  programId!: string;

  @PrimaryColumn({ type: 'text', primaryKeyConstraintName: 'pk_analytics_rollups' })
  measure!: string;

  /** 15, 1440, or 43200 for a UTC month. */
  @PrimaryColumn({ type: 'int', primaryKeyConstraintName: 'pk_analytics_rollups' })
  minutes!: number;

  @PrimaryColumn({ type: 'timestamptz', primaryKeyConstraintName: 'pk_analytics_rollups' })
  start!: Date;

  @PrimaryColumn({
    name: 'participant_id',
    type: 'uuid',
    primaryKeyConstraintName: 'pk_analytics_rollups',
  })
  participantId!: string;

  /** The nil UUID for none. */
  @PrimaryColumn({
    name: 'link_id',
    type: 'uuid',
    primaryKeyConstraintName: 'pk_analytics_rollups',
  })
  linkId!: string;

  /** Empty for none. */
  @PrimaryColumn({
    name: 'promo_code',
    type: 'text',
    primaryKeyConstraintName: 'pk_analytics_rollups',
  })
  promoCode!: string;

  @Column({ type: 'bigint' })
  value!: number;
}
