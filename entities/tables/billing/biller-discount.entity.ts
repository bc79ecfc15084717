import { Column, Entity, PrimaryColumn } from 'typeorm';
import type { DiscountText } from '../../rules/billing/discount-texts';

/** The text of a discount at a biller whose payments name it by id alone. */
@Entity({ name: 'biller_discounts' })
export class BillerDiscount {
  @PrimaryColumn('uuid', { primaryKeyConstraintName: 'uq_biller_discount' }) connectionId!: string;
  @PrimaryColumn('text', { primaryKeyConstraintName: 'uq_biller_discount' }) discountId!: string;
  /** The newest; empty for one that is applied without a code. */
  @Column('text') code!: string;
  @Column('timestamptz') updatedAt!: Date;
  /** All that were told, by time; empty in rows of releases that kept the newest alone. */
  @Column('jsonb') texts!: DiscountText[];
}
