import { Column, Entity, PrimaryColumn } from 'typeorm';
import type { Side } from '../../rules/accounts/accounts';

/** Where an account signed in from, as keyed hashes. */
@Entity({ name: 'account_addresses' })
export class AccountAddress {
  @Column('text') side!: Side;
  @PrimaryColumn('uuid', { primaryKeyConstraintName: 'pk_account_addresses' }) accountId!: string;
  @PrimaryColumn('text', { primaryKeyConstraintName: 'pk_account_addresses' }) ipHash!: string;
  @Column('timestamptz') lastSeenAt!: Date;
}
