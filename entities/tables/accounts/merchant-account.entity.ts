import { Check, Column, Entity, Index, PrimaryColumn } from 'typeorm';
import type { Role } from '../../rules/values/roles';

/** A member of a workspace, who signs in to its dashboard. */
@Check('ck_merchant_accounts_role', `role IN ('viewer', 'member', 'admin', 'owner')`)
@Index('uq_merchant_account_email', ['email'], { unique: true, where: `removed_at IS NULL` })
@Entity({ name: 'merchant_accounts' })
export class MerchantAccount {
  @PrimaryColumn('uuid') id!: string;
  @Column('uuid') workspaceId!: string;
  @Column('text') role!: Role;
  @Column('text') email!: string;
  @Column('int') emailGeneration!: number;
  @Column('timestamptz', { nullable: true }) emailVerifiedAt!: Date | null;
  @Column('text') name!: string;
  @Column('text') passwordHash!: string;
  @Column('int') passwordGeneration!: number;
  @Column('timestamptz') createdAt!: Date;
  @Column('timestamptz') updatedAt!: Date;
  @Column('timestamptz', { nullable: true }) removedAt!: Date | null;
}
