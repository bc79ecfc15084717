import { Column, Entity, PrimaryColumn } from 'typeorm';

/** What the copies of an erasure are looked for by, encrypted, until the last of them is clean. */
@Entity({ name: 'erasure_identities' })
export class ErasureIdentity {
  @PrimaryColumn('uuid') erasureId!: string;
  @Column('text') sealed!: string;
}
