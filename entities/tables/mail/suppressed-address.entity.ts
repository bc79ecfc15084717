import { Check, Column, Entity, PrimaryColumn, Unique } from 'typeorm';

/** An address that takes no mail, as a keyed hash. */
@Check('ck_suppressed_addresses_reason', `reason IN ('bounced', 'complained')`)
@Unique('uq_suppressed_address', ['emailHash'])
@Entity({ name: 'suppressed_addresses' })
export class SuppressedAddress {
  @PrimaryColumn({ type: 'uuid' })
  id!: string;

  @Column({ name: 'email_hash', type: 'text' })
  emailHash!: string;

  @Column({ type: 'text' })
  reason!: 'bounced' | 'complained';

  @Column({ name: 'created_at', type: 'timestamptz' })
  createdAt!: Date;
}
