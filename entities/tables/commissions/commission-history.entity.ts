import { Column, Entity, PrimaryColumn } from 'typeorm';
import type { Actor } from '../../rules/values/actor';
import type { CommissionStatus, CommissionTrigger } from '../../rules/commissions/status';
import type { Mode } from '../../rules/values/mode';

/** One move of a commission. Append-only. */
@Entity({ name: 'commission_history' })
export class CommissionHistory {
  @PrimaryColumn('uuid', { primaryKeyConstraintName: 'pk_commission_history' }) id!: string;
  @Column('uuid') workspaceId!: string;
  @Column('text') mode!: Mode;
  @Column('uuid') commissionId!: string;
  @Column('text', { nullable: true }) fromStatus!: CommissionStatus | null;
  @Column('text') toStatus!: CommissionStatus;
  @Column('text') trigger!: CommissionTrigger;
  @Column('text') actorType!: Actor['type'];
  @Column('uuid', { nullable: true }) actorId!: string | null;
  @Column('text', { nullable: true }) reason!: string | null;
  @Column('timestamptz') at!: Date;
}
