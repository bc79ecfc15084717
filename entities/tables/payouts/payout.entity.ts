import { Check, Column, Entity, PrimaryColumn } from 'typeorm';
import type { Mode } from '../../rules/values/mode';
import type { PayoutStatus } from '../../rules/payouts/status';

/** A payment of what is owed, one item a partner and currency. */
@Check('ck_payouts_mode', `mode IN ('test', 'live')`)
@Check('ck_payouts_status', `status IN ('processing', 'completed', 'cancelled')`)
@Entity({ name: 'payouts' })
export class Payout {
  @PrimaryColumn({ type: 'uuid' })
  id!: string;

  @Column({ name: 'workspace_id', type: 'uuid', update: false })
  workspaceId!: string;

  @Column({ type: 'text', update: false })
  mode!: Mode;

  @Column({ name: 'program_id', type: 'uuid' })
  programId!: string;

  @Column({ type: 'text' })
  status!: PayoutStatus;

  @Column({ type: 'text', nullable: true })
  reference!: string | null;

  @Column({ name: 'created_at', type: 'timestamptz' })
  createdAt!: Date;

  @Column({ name: 'completed_at', type: 'timestamptz', nullable: true })
  completedAt!: Date | null;

  @Column({ name: 'cancelled_at', type: 'timestamptz', nullable: true })
  cancelledAt!: Date | null;
}
