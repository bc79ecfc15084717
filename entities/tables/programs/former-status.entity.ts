import { Check, Column, Entity, PrimaryColumn } from 'typeorm';
import type { ParticipantStatus } from '../../rules/partners/participant-status';
import type { ProgramStatus } from '../../rules/programs/terms';
import type { Mode } from '../../rules/values/mode';

/**
 * The status of a partner in a programme, or of the programme itself, until it changed; the status of now stands
 * in their own rows. Triggers write it, in the transaction of whatever changes a status.
 */
@Check('ck_former_statuses_mode', `mode IN ('test', 'live')`)
@Entity({ name: 'former_statuses' })
export class FormerStatus {
  @PrimaryColumn('uuid', { primaryKeyConstraintName: 'uq_former_statuses' }) programId!: string;
  /** A participant, or the programme. */
  @PrimaryColumn('uuid', { primaryKeyConstraintName: 'uq_former_statuses' }) subjectId!: string;
  /** The moment from which on another status held. */
  @PrimaryColumn('timestamptz', { primaryKeyConstraintName: 'uq_former_statuses' })
  heldUntil!: Date;
  @Column('uuid') workspaceId!: string;
  @Column('text') mode!: Mode;
  @Column('text') status!: ParticipantStatus | ProgramStatus;
}
