import { Column, Entity, PrimaryColumn } from 'typeorm';
import type { Mode } from '../../rules/values/mode';

/** Refunds and lost disputes of a conversion, as last settled. */
@Entity({ name: 'conversion_settlements' })
export class ConversionSettlement {
  @PrimaryColumn('uuid') conversionId!: string;
  @Column({ type: 'uuid', update: false }) workspaceId!: string;
  @Column({ type: 'text', update: false }) mode!: Mode;
  @Column('bigint', { nullable: true }) chargeCents!: number | null;
  @Column('bigint') refundedCents!: number;
  @Column('bigint') lostDisputeCents!: number;
  /** How much of the lost disputes has been booked. */
  @Column('bigint') settledLostCents!: number;
  @Column('int') openDisputes!: number;
  @Column('bigint', { nullable: true }) feeCents!: number | null;
  /** What was given back of an imported sale before, which the told commission accounts for. */
  @Column('bigint', { nullable: true }) refundedBeforeCents!: number | null;
  /** The part of that which refunds by API say, too. */
  @Column('bigint', { nullable: true }) apiRefundedBeforeCents!: number | null;
  @Column('timestamptz') updatedAt!: Date;
}
