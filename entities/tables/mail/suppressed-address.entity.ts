import { Check, Column, Entity, PrimaryColumn, Unique } from 'typeorm';

/** An address that takes no mail: a keyed hash, and the address until it is erased. */
@Check('ck_suppressed_addresses_reason', `reason IN ('bounced', 'complained')`)
@Unique('uq_suppressed_address', ['emailHash'])
@Entity({ name: 'suppressed_addresses' })
export class SuppressedAddress {
  @PrimaryColumn({ type: 'uuid' })
  id!: string;

  @Column({ name: 'email_hash', type: 'text' })
  emailHash!: string;

  @Column({ type: 'text', nullable: true })
  email!: string | null;

  @Column({ type: 'text' })
  reason!: 'bounced' | 'complained';

  @Column({ name: 'created_at', type: 'timestamptz' })
  createdAt!: Date;
}
