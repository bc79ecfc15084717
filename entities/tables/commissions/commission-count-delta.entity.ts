import { Column, Entity, PrimaryColumn } from 'typeorm';
import type { Mode } from '../../rules/values/mode';

/** A change of the day counts that is not folded in yet. */
@Entity({ name: 'commission_count_deltas' })
export class CommissionCountDelta {
  @PrimaryColumn({ type: 'bigint' })
  id!: number;

  @Column({ name: 'workspace_id', type: 'uuid' })
  workspaceId!: string;

  @Column({ type: 'text' })
  mode!: Mode;

  @Column({ name: 'program_id', type: 'uuid' })
  programId!: string;

  @Column({ type: 'date' })
  day!: string;

  @Column({ type: 'text' })
  status!: string;

  @Column({ name: 'needs_review', type: 'boolean' })
  needsReview!: boolean;

  @Column({ type: 'text' })
  currency!: string;

  @Column({ type: 'bigint' })
  commissions!: number;

  @Column({ name: 'amount_cents', type: 'bigint' })
  amountCents!: number;
}
