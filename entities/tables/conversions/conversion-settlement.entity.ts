import { Column, Entity, PrimaryColumn } from 'typeorm';
import type { Mode } from '../../rules/values/mode';

/** Refunds and lost disputes of a conversion, as last settled. */
@Entity({ name: 'conversion_settlements' })
export class ConversionSettlement {
  @PrimaryColumn({ name: 'conversion_id', type: 'uuid' })
  conversionId!: string;

  @Column({ name: 'workspace_id', type: 'uuid', update: false })
  workspaceId!: string;

  @Column({ type: 'text', update: false })
  mode!: Mode;

  @Column({ name: 'charge_cents', type: 'bigint', nullable: true })
  chargeCents!: number | null;

  @Column({ name: 'refunded_cents', type: 'bigint' })
  refundedCents!: number;

  @Column({ name: 'lost_dispute_cents', type: 'bigint' })
  lostDisputeCents!: number;

  /** How much of the lost disputes has been booked. */
  @Column({ name: 'settled_lost_cents', type: 'bigint' })
  settledLostCents!: number;

  @Column({ name: 'open_disputes', type: 'int' })
  openDisputes!: number;

  @Column({ name: 'fee_cents', type: 'bigint', nullable: true })
  feeCents!: number | null;

  @Column({ name: 'updated_at', type: 'timestamptz' })
  updatedAt!: Date;
}
