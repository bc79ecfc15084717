import { Column, Entity, PrimaryColumn } from 'typeorm';

/** One wrong password, by keyed hashes of the address as typed and of the network. */
@Entity({ name: 'login_failures' })
export class LoginFailure {
  @PrimaryColumn({ type: 'uuid' })
  id!: string;

  @Column({ name: 'email_key', type: 'text' })
  emailKey!: string;

  @Column({ name: 'ip_hash', type: 'text' })
  ipHash!: string;

  @Column({ name: 'failed_at', type: 'timestamptz' })
  failedAt!: Date;
}
