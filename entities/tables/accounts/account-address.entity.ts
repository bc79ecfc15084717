import { Column, Entity, PrimaryColumn } from 'typeorm';
import type { Side } from '../../rules/accounts/accounts';

/** Where an account signed in from, as keyed hashes. */
@Entity({ name: 'account_addresses' })
export class AccountAddress {
  @Column({ type: 'text' })
  side!: Side;

  @PrimaryColumn({
    primaryKeyConstraintName: 'pk_account_addresses',
    name: 'account_id',
    type: 'uuid',
  })
  accountId!: string;

  @PrimaryColumn({
    primaryKeyConstraintName: 'pk_account_addresses',
    name: 'ip_hash',
    type: 'text',
  })
  ipHash!: string;

  @Column({ name: 'last_seen_at', type: 'timestamptz' })
  lastSeenAt!: Date;
}
