import { Check, Column, Entity, Index, PrimaryColumn } from 'typeorm';

/** A partner, over all workspaces; the id is the gpaId. VAT id and payout method are encrypted. */
@Index('uq_partner_account_email', ['email'], { unique: true, where: `erased_at IS NULL` })
@Check('ck_partner_accounts_method', `payout_method_type IN ('paypal', 'wise', 'bank', 'other')`)
@Entity({ name: 'partner_accounts' })
export class PartnerAccount {
  @PrimaryColumn({ type: 'uuid' })
  id!: string;

  @Column({ type: 'text' })
  email!: string;

  @Column({ name: 'email_generation', type: 'int' })
  emailGeneration!: number;

  @Column({ name: 'email_verified_at', type: 'timestamptz', nullable: true })
  emailVerifiedAt!: Date | null;

  @Column({ type: 'text' })
  name!: string;

  /** Null: a merchant's server made it, and nobody has claimed it. */
  @Column({ name: 'password_hash', type: 'text', nullable: true })
  passwordHash!: string | null;

  @Column({ name: 'password_generation', type: 'int' })
  passwordGeneration!: number;

  @Column({ name: 'vat_id_encrypted', type: 'text', nullable: true })
  vatIdEncrypted!: string | null;

  @Column({ name: 'payout_method_encrypted', type: 'text', nullable: true })
  payoutMethodEncrypted!: string | null;

  @Column({ name: 'payout_method_type', type: 'text', nullable: true })
  payoutMethodType!: string | null;

  /** The method masked, for people who must not read the whole. */
  @Column({ name: 'payout_method_label', type: 'text', nullable: true })
  payoutMethodLabel!: string | null;

  @Column({ name: 'created_at', type: 'timestamptz' })
  createdAt!: Date;

  @Column({ name: 'updated_at', type: 'timestamptz' })
  updatedAt!: Date;

  @Column({ name: 'erased_at', type: 'timestamptz', nullable: true })
  erasedAt!: Date | null;
}
