import { Check, Column, Entity, PrimaryColumn } from 'typeorm';
import type { Mode } from '../../rules/values/mode';

/** A step that has acted on a participant, which it does once. */
@Check('ck_reached_steps_mode', `mode IN ('test', 'live')`)
@Entity({ name: 'reached_steps' })
export class ReachedStep {
  @PrimaryColumn('uuid', { primaryKeyConstraintName: 'uq_reached_step' }) participantId!: string;
  @PrimaryColumn('uuid', { primaryKeyConstraintName: 'uq_reached_step' }) groupId!: string;
  @PrimaryColumn('bigint', { primaryKeyConstraintName: 'uq_reached_step' }) atLeast!: number;
  @Column('uuid') workspaceId!: string;
  @Column('text') mode!: Mode;
  @Column('uuid') programId!: string;
  @Column('timestamptz') reachedAt!: Date;
}
