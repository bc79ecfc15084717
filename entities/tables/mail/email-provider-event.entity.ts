import { Column, Entity, PrimaryColumn, Unique } from 'typeorm';

/** An event of the mail provider that has been applied. */
@Unique('uq_email_provider_event', ['messageId'])
@Entity({ name: 'email_provider_events' })
export class EmailProviderEvent {
  @PrimaryColumn('uuid') id!: string;
  @Column('text') messageId!: string;
  @Column('text') type!: string;
  @Column('timestamptz') receivedAt!: Date;
}
