import { Column, Entity, PrimaryColumn } from 'typeorm';
import type { Mode } from '../../rules/values/mode';

/** What a conversion or a fraud flag adds to the sums, or a refund takes off, until it is folded. */
@Entity({ name: 'analytics_facts' })
export class AnalyticsFact {
  @PrimaryColumn({ type: 'bigint' })
  id!: number;

  @Column({ name: 'workspace_id', type: 'uuid' })
  workspaceId!: string;

  @Column({ type: 'text' })
  mode!: Mode;

  @Column({ name: 'program_id', type: 'uuid' })
  programId!: string;

  @Column({ name: 'participant_id', type: 'uuid' })
  participantId!: string;

  /** The nil UUID for none. */
  @Column({ name: 'link_id', type: 'uuid' })
  linkId!: string;

  /** Empty for none. */
  @Column({ name: 'promo_code', type: 'text' })
  promoCode!: string;

  /** clicks, conversions, fraud_flags, or revenue: with a currency. */
  @Column({ type: 'text' })
  measure!: string;

  @Column({ type: 'timestamptz' })
  start!: Date;

  @Column({ type: 'bigint' })
  value!: number;
}
