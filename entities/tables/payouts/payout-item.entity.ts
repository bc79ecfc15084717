import { Check, Column, Entity, PrimaryColumn, Unique } from 'typeorm';
import type { Mode } from '../../rules/values/mode';

/** What one partner gets in one currency by a payout. */
@Check('ck_payout_items_positive', `amount_cents > 0`)
@Unique('uq_payout_item', ['payoutId', 'participantId', 'currency'])
@Entity({ name: 'payout_items' })
export class PayoutItem {
  @PrimaryColumn({ type: 'uuid' })
  id!: string;

  @Column({ name: 'workspace_id', type: 'uuid' })
  workspaceId!: string;

  @Column({ type: 'text' })
  mode!: Mode;

  @Column({ name: 'payout_id', type: 'uuid' })
  payoutId!: string;

  @Column({ name: 'participant_id', type: 'uuid' })
  participantId!: string;

  @Column({ type: 'text' })
  currency!: string;

  @Column({ name: 'amount_cents', type: 'bigint' })
  amountCents!: number;
}
