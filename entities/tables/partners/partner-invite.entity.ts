import { Check, Column, Entity, Index, PrimaryColumn } from 'typeorm';
import type { Mode } from '../../rules/values/mode';
import type { StoredInviteStatus } from '../../rules/partners/invite';

/** An invitation into a programme. Its token is derived from id, address and generation. */
@Check('ck_partner_invites_status', `status IN ('pending', 'accepted', 'deleted', 'erased')`)
@Index('uq_partner_invite_open', ['programId', 'email'], {
  unique: true,
  where: `status = 'pending'`,
})
@Entity({ name: 'partner_invites' })
export class PartnerInvite {
  @PrimaryColumn({ type: 'uuid' })
  id!: string;

  @Column({ name: 'workspace_id', type: 'uuid' })
  workspaceId!: string;

  @Column({ type: 'text' })
  mode!: Mode;

  @Column({ name: 'program_id', type: 'uuid' })
  programId!: string;

  @Column({ type: 'text' })
  email!: string;

  @Column({ type: 'text', nullable: true })
  name!: string | null;

  @Column({ type: 'int' })
  generation!: number;

  @Column({ type: 'text' })
  status!: StoredInviteStatus;

  /** The account that spent the token, whatever its address. */
  @Column({ name: 'accepted_by', type: 'uuid', nullable: true })
  acceptedBy!: string | null;

  @Column({ name: 'accepted_at', type: 'timestamptz', nullable: true })
  acceptedAt!: Date | null;

  @Column({ name: 'expires_at', type: 'timestamptz' })
  expiresAt!: Date;

  @Column({ name: 'created_at', type: 'timestamptz' })
  createdAt!: Date;
}
