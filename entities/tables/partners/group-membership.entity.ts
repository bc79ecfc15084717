import { Check, Column, Entity, PrimaryColumn } from 'typeorm';
import type { GroupSource } from '../../rules/programs/groups';
import type { Actor } from '../../rules/values/actor';
import type { Mode } from '../../rules/values/mode';

/**
 * The group that a participant is in from a moment on, until the next row. A participant without a
 * row was in the default group from the start.
 */
@Check('ck_group_memberships_mode', `mode IN ('test', 'live')`)
@Check(
  'ck_group_memberships_source',
  `source IN ('start', 'hand', 'tier', 'invite', 'application', 'import')`,
)
@Entity({ name: 'group_memberships' })
export class GroupMembership {
  @PrimaryColumn('uuid') id!: string;
  @Column('uuid') participantId!: string;
  @Column('timestamptz') since!: Date;
  @Column('uuid') workspaceId!: string;
  @Column('text') mode!: Mode;
  @Column('uuid') programId!: string;
  /** The programme's id is the default group. */
  @Column('uuid') groupId!: string;
  @Column('text') source!: GroupSource;
  @Column('text') actorType!: Actor['type'];
  @Column('uuid', { nullable: true }) actorId!: string | null;
  /** What the member wrote of a move by hand. */
  @Column('text', { nullable: true }) reason!: string | null;
}
