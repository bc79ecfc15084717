import { Check, Column, Entity, PrimaryColumn, Unique } from 'typeorm';
import type { Mode } from '../../rules/values/mode';

/** A refund that the merchant reported; what the processor knows is in the settlement. */
@Check('ck_conversion_refunds_amount', `amount_cents > 0`)
@Unique('uq_conversion_refund', ['conversionId', 'externalRefundId'])
@Entity({ name: 'conversion_refunds' })
export class ConversionRefund {
  @PrimaryColumn('uuid') id!: string;
  @Column('uuid') workspaceId!: string;
  @Column('text') mode!: Mode;
  @Column('uuid') conversionId!: string;
  @Column('text') externalRefundId!: string;
  @Column('bigint') amountCents!: number;
  @Column('text', { nullable: true }) reason!: string | null;
  @Column('timestamptz') createdAt!: Date;
}
