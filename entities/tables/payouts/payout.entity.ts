import { Check, Column, Entity, PrimaryColumn } from 'typeorm';
import type { Mode } from '../../rules/values/mode';
import type { PayoutStatus } from '../../rules/payouts/status';

/** A payment of what is owed, one item a partner and currency. */
@Check('ck_payouts_mode', `mode IN ('test', 'live')`)
@Check('ck_payouts_status', `status IN ('processing', 'completed', 'cancelled')`)
@Entity({ name: 'payouts' })
export class Payout {
  @PrimaryColumn('uuid') id!: string;
  @Column({ type: 'uuid', update: false }) workspaceId!: string;
  @Column({ type: 'text', update: false }) mode!: Mode;
  @Column('uuid') programId!: string;
  @Column('text') status!: PayoutStatus;
  @Column('text', { nullable: true }) reference!: string | null;
  /** The member who made it, or who made the key that did; null: not known any more. */
  @Column({ type: 'uuid', nullable: true, update: false }) createdBy!: string | null;
  @Column('timestamptz') createdAt!: Date;
  @Column('timestamptz', { nullable: true }) completedAt!: Date | null;
  @Column('timestamptz', { nullable: true }) cancelledAt!: Date | null;
}
