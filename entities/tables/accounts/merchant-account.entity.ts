import { Check, Column, Entity, Index, PrimaryColumn } from 'typeorm';
import type { Role } from '../../rules/values/roles';

/** A member of a workspace, who signs in to its dashboard. */
@Check('ck_merchant_accounts_role', `role IN ('viewer', 'member', 'admin', 'owner')`)
@Index('uq_merchant_account_email', ['email'], { unique: true, where: `removed_at IS NULL` })
@Entity({ name: 'merchant_accounts' })
export class MerchantAccount {
  @PrimaryColumn({ type: 'uuid' })
  id!: string;

  @Column({ name: 'workspace_id', type: 'uuid' })
  workspaceId!: string;

  @Column({ type: 'text' })
  role!: Role;

  @Column({ type: 'text' })
  email!: string;

  @Column({ name: 'email_generation', type: 'int' })
  emailGeneration!: number;

  @Column({ name: 'email_verified_at', type: 'timestamptz', nullable: true })
  emailVerifiedAt!: Date | null;

  @Column({ type: 'text' })
  name!: string;

  @Column({ name: 'password_hash', type: 'text' })
  passwordHash!: string;

  @Column({ name: 'password_generation', type: 'int' })
  passwordGeneration!: number;

  @Column({ name: 'created_at', type: 'timestamptz' })
  createdAt!: Date;

  @Column({ name: 'updated_at', type: 'timestamptz' })
  updatedAt!: Date;

  @Column({ name: 'removed_at', type: 'timestamptz', nullable: true })
  removedAt!: Date | null;
}
