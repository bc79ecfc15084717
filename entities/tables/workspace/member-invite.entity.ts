import { Column, Entity, Index, PrimaryColumn } from 'typeorm';
import type { Role } from '../../rules/values/roles';

/** An invitation to become a member of a workspace. */
@Index('uq_member_invite_open', ['workspaceId', 'email'], {
  unique: true,
  where: `(accepted_at IS NULL) AND (withdrawn_at IS NULL)`,
})
@Entity({ name: 'member_invites' })
export class MemberInvite {
  @PrimaryColumn('uuid') id!: string;
  @Column('uuid') workspaceId!: string;
  @Column('text') email!: string;
  @Column('text') role!: Role;
  @Column('int') generation!: number;
  @Column('uuid') invitedBy!: string;
  @Column('timestamptz') createdAt!: Date;
  @Column('timestamptz') expiresAt!: Date;
  @Column('timestamptz', { nullable: true }) acceptedAt!: Date | null;
  @Column('timestamptz', { nullable: true }) withdrawnAt!: Date | null;
}
