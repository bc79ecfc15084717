import { Column, Entity, PrimaryColumn, Unique } from 'typeorm';

/** An event of the mail provider that has been applied. */
@Unique('uq_email_provider_event', ['messageId'])
@Entity({ name: 'email_provider_events' })
export class EmailProviderEvent {
  @PrimaryColumn({ type: 'uuid' })
  id!: string;

  @Column({ name: 'message_id', type: 'text' })
  messageId!: string;

  @Column({ type: 'text' })
  type!: string;

  @Column({ name: 'received_at', type: 'timestamptz' })
  receivedAt!: Date;
}
