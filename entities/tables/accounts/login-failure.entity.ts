import { Column, Entity, PrimaryColumn } from 'typeorm';

/** One wrong password, by keyed hashes of the address as typed and of the network. */
@Entity({ name: 'login_failures' })
export class LoginFailure {
  @PrimaryColumn('uuid') id!: string;
  @Column('text') emailKey!: string;
  @Column('text') ipHash!: string;
  @Column('timestamptz') failedAt!: Date;
}
