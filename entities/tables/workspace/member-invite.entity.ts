import { Column, Entity, Index, PrimaryColumn } from 'typeorm';
import type { Role } from '../../rules/values/roles';

/** An invitation to become a member of a workspace. */
@Index('uq_member_invite_open', ['workspaceId', 'email'], {
  unique: true,
  where: `(accepted_at IS NULL) AND (withdrawn_at IS NULL)`,
})
@Entity({ name: 'member_invites' })
export class MemberInvite {
  @PrimaryColumn({ type: 'uuid' })
  id!: string;

  @Column({ name: 'workspace_id', type: 'uuid' })
  workspaceId!: string;

  @Column({ type: 'text' })
  email!: string;

  @Column({ type: 'text' })
  role!: Role;

  @Column({ type: 'int' })
  generation!: number;

  @Column({ name: 'invited_by', type: 'uuid' })
  invitedBy!: string;

  @Column({ name: 'created_at', type: 'timestamptz' })
  createdAt!: Date;

  @Column({ name: 'expires_at', type: 'timestamptz' })
  expiresAt!: Date;

  @Column({ name: 'accepted_at', type: 'timestamptz', nullable: true })
  acceptedAt!: Date | null;

  @Column({ name: 'withdrawn_at', type: 'timestamptz', nullable: true })
  withdrawnAt!: Date | null;
}
