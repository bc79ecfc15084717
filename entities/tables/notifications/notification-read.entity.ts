import { Column, Entity, PrimaryColumn } from 'typeorm';

/** One notification that an account has read by itself. */
@Entity({ name: 'notification_reads' })
export class NotificationRead {
  @PrimaryColumn({ name: 'notification_id', type: 'uuid' })
  notificationId!: string;

  @PrimaryColumn({ name: 'account_id', type: 'uuid' })
  accountId!: string;

  @Column({ name: 'read_at', type: 'timestamptz' })
  readAt!: Date;
}
