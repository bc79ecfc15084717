import { Column, Entity, PrimaryColumn } from 'typeorm';

/** One notification that an account has read by itself. */
@Entity({ name: 'notification_reads' })
export class NotificationRead {
  @PrimaryColumn('uuid') notificationId!: string;
  @PrimaryColumn('uuid') accountId!: string;
  @Column('timestamptz') readAt!: Date;
}
