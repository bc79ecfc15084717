import { Column, Entity, PrimaryColumn } from 'typeorm';
import type { Actor } from '../../rules/values/actor';
import type { CommissionStatus, CommissionTrigger } from '../../rules/commissions/status';
import type { Mode } from '../../rules/values/mode';

/** One move of a commission. Append-only. */
@Entity({ name: 'commission_history' })
export class CommissionHistory {
  @PrimaryColumn({ primaryKeyConstraintName: 'pk_commission_history', type: 'uuid' })
  id!: string;

  @Column({ name: 'workspace_id', type: 'uuid' })
  workspaceId!: string;

  @Column({ type: 'text' })
  mode!: Mode;

  @Column({ name: 'commission_id', type: 'uuid' })
  commissionId!: string;

  @Column({ name: 'from_status', type: 'text', nullable: true })
  fromStatus!: CommissionStatus | null;

  @Column({ name: 'to_status', type: 'text' })
  toStatus!: CommissionStatus;

  @Column({ type: 'text' })
  trigger!: CommissionTrigger;

  @Column({ name: 'actor_type', type: 'text' })
  actorType!: Actor['type'];

  @Column({ name: 'actor_id', type: 'uuid', nullable: true })
  actorId!: string | null;

  @Column({ type: 'text', nullable: true })
  reason!: string | null;

  @Column({ type: 'timestamptz' })
  at!: Date;
}
