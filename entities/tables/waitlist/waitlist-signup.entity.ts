import { Column, Entity, PrimaryColumn, Unique } from 'typeorm';

/** One address that waits for the launch, trimmed and in lower case. */
@Unique('uq_waitlist_signup', ['email'])
@Entity({ name: 'waitlist_signups' })
export class WaitlistSignup {
  @PrimaryColumn('uuid') id!: string;
  @Column('text') email!: string;
  @Column('timestamptz') createdAt!: Date;
}
