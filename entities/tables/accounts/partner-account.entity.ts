import { Check, Column, Entity, Index, PrimaryColumn } from 'typeorm';

/** A partner, over all workspaces; the id is the gpaId. VAT id and payout method are encrypted. */
@Index('uq_partner_account_email', ['email'], { unique: true, where: `erased_at IS NULL` })
@Index('uq_partner_account_held', ['heldEmail', 'heldWorkspaceId'], {
  unique: true,
  where: `erased_at IS NULL AND held_email IS NOT NULL`,
})
@Check('ck_partner_accounts_method', `payout_method_type IN ('paypal', 'wise', 'bank', 'other')`)
@Entity({ name: 'partner_accounts' })
export class PartnerAccount {
  @PrimaryColumn('uuid') id!: string;
  @Column('text') email!: string;
  /**
   * The address that it stands for, where it is no person's account: `email` is a made-up one then.
   * With a workspace it holds what that one added in test mode.
   */
  @Column('text', { nullable: true }) heldEmail!: string | null;
  @Column('uuid', { nullable: true }) heldWorkspaceId!: string | null;
  @Column('int') emailGeneration!: number;
  @Column('timestamptz', { nullable: true }) emailVerifiedAt!: Date | null;
  @Column('text') name!: string;
  /** Null: a merchant's server made it, and nobody has claimed it. */
  @Column('text', { nullable: true }) passwordHash!: string | null;
  @Column('int') passwordGeneration!: number;
  @Column('text', { nullable: true }) vatIdEncrypted!: string | null;
  @Column('text', { nullable: true }) payoutMethodEncrypted!: string | null;
  /** When it was said. */
  @Column('timestamptz', { nullable: true }) payoutMethodSaidAt!: Date | null;
  @Column('text', { nullable: true }) payoutMethodType!: string | null;
  /** The method masked, for people who must not read the whole. */
  @Column('text', { nullable: true }) payoutMethodLabel!: string | null;
  @Column('timestamptz') createdAt!: Date;
  @Column('timestamptz') updatedAt!: Date;
  @Column('timestamptz', { nullable: true }) erasedAt!: Date | null;
}
