import { Check, Column, Entity, PrimaryColumn, Unique } from 'typeorm';

/** An address that takes no mail, as a keyed hash. */
@Check('ck_suppressed_addresses_reason', `reason IN ('bounced', 'complained')`)
@Unique('uq_suppressed_address', ['emailHash'])
@Entity({ name: 'suppressed_addresses' })
export class SuppressedAddress {
  @PrimaryColumn('uuid') id!: string;
  @Column('text') emailHash!: string;
  @Column('text') reason!: 'bounced' | 'complained';
  @Column('timestamptz') createdAt!: Date;
}
