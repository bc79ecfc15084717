import { Column, Entity, PrimaryColumn } from 'typeorm';

/** A commission in a payout, with the amount that it takes there. */
@Entity({ name: 'payout_lines' })
export class PayoutLine {
  @PrimaryColumn({ name: 'payout_id', type: 'uuid' })
  payoutId!: string;

  @PrimaryColumn({ name: 'commission_id', type: 'uuid' })
  commissionId!: string;

  @Column({ name: 'item_id', type: 'uuid' })
  itemId!: string;

  @Column({ name: 'amount_cents', type: 'bigint' })
  amountCents!: number;
}
