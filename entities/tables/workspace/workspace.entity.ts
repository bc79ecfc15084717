import { Column, Entity, PrimaryColumn } from 'typeorm';
import type { DailyLimit, PayoutApproval } from '../../rules/payouts/providers';

/** A merchant: the tenant that everything else belongs to. */
@Entity({ name: 'workspaces' })
export class Workspace {
  @PrimaryColumn('uuid') id!: string;
  @Column('text') name!: string;
  @Column('text', { nullable: true }) testEmailRedirect!: string | null;
  /** Members without a second factor reach nothing but their own account. */
  @Column('boolean') requireTwoFactor!: boolean;
  /** How much providers may send within 24 hours, in each mode; a currency without one is not sent. */
  @Column('jsonb') payoutDailyLimits!: DailyLimit[];
  @Column('text') payoutApproval!: PayoutApproval;
  @Column('timestamptz') createdAt!: Date;
  @Column('timestamptz') updatedAt!: Date;
  /** When it will be closed; null unless an owner asked for it. */
  @Column('timestamptz', { nullable: true }) closesAt!: Date | null;
  /** When that was asked, by the clock of the database, which alone writes it. */
  @Column({ type: 'timestamptz', nullable: true, insert: false, update: false })
  closingSince!: Date | null;
  /** When it was closed: from then on its rows go. */
  @Column('timestamptz', { nullable: true }) closedAt!: Date | null;
}
