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
  @PrimaryColumn('uuid') id!: string;
  @Column('uuid') workspaceId!: string;
  @Column('text') mode!: Mode;
  @Column('uuid') programId!: string;
  @Column('text') email!: string;
  @Column('text', { nullable: true }) name!: string | null;
  /** Where whoever accepts it begins; null: the default group. */
  @Column('uuid', { nullable: true }) groupId!: string | null;
  @Column('int') generation!: number;
  @Column('text') status!: StoredInviteStatus;
  /** The account that spent the token, whatever its address. */
  @Column('uuid', { nullable: true }) acceptedBy!: string | null;
  @Column('timestamptz', { nullable: true }) acceptedAt!: Date | null;
  @Column('timestamptz') expiresAt!: Date;
  @Column('timestamptz') createdAt!: Date;
}
