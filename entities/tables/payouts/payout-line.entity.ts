import { Column, Entity, PrimaryColumn } from 'typeorm';

/** A commission in a payout, with the amount that it takes there. */
@Entity({ name: 'payout_lines' })
export class PayoutLine {
  @PrimaryColumn('uuid') payoutId!: string;
  @PrimaryColumn('uuid') commissionId!: string;
  @Column('uuid') itemId!: string;
  @Column('bigint') amountCents!: number;
}
