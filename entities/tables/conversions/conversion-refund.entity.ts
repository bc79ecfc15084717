import { Check, Column, Entity, PrimaryColumn, Unique } from 'typeorm';
import type { Mode } from '../../rules/values/mode';

/** A refund that the merchant reported; what the processor knows is in the settlement. */
@Check('ck_conversion_refunds_amount', `amount_cents > 0`)
@Unique('uq_conversion_refund', ['conversionId', 'externalRefundId'])
@Entity({ name: 'conversion_refunds' })
export class ConversionRefund {
  @PrimaryColumn({ type: 'uuid' })
  id!: string;

  @Column({ name: 'workspace_id', type: 'uuid' })
  workspaceId!: string;

  @Column({ type: 'text' })
  mode!: Mode;

  @Column({ name: 'conversion_id', type: 'uuid' })
  conversionId!: string;

  @Column({ name: 'external_refund_id', type: 'text' })
  externalRefundId!: string;

  @Column({ name: 'amount_cents', type: 'bigint' })
  amountCents!: number;

  @Column({ type: 'text', nullable: true })
  reason!: string | null;

  @Column({ name: 'created_at', type: 'timestamptz' })
  createdAt!: Date;
}
