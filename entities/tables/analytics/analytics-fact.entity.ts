import { Column, Entity, PrimaryColumn } from 'typeorm';
import type { Mode } from '../../rules/values/mode';

/** What a conversion or a fraud flag adds to the sums, or a refund takes off, until it is folded. */
@Entity({ name: 'analytics_facts' })
export class AnalyticsFact {
  @PrimaryColumn('bigint') id!: number;
  @Column('uuid') workspaceId!: string;
  @Column('text') mode!: Mode;
  @Column('uuid') programId!: string;
  @Column('uuid') participantId!: string;
  /** The nil UUID for none. */
  @Column('uuid') linkId!: string;
  /** Empty for none. */
  @Column('text') promoCode!: string;
  /** clicks, conversions, fraud_flags, or revenue: with a currency. */
  @Column('text') measure!: string;
  @Column('timestamptz') start!: Date;
  @Column('bigint') value!: number;
}
