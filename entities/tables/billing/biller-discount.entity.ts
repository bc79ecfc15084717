import { Column, Entity, PrimaryColumn } from 'typeorm';

/** The text of a discount at a biller whose payments name it by id alone. */
@Entity({ name: 'biller_discounts' })
export class BillerDiscount {
  @PrimaryColumn('uuid', { primaryKeyConstraintName: 'uq_biller_discount' }) connectionId!: string;
  @PrimaryColumn('text', { primaryKeyConstraintName: 'uq_biller_discount' }) discountId!: string;
  /** Empty for one that is applied without a code. */
  @Column('text') code!: string;
  @Column('timestamptz') updatedAt!: Date;
}
