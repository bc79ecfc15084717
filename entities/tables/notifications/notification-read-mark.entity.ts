import { Column, Entity, PrimaryColumn } from 'typeorm';
import type { NotificationCategory } from '../../rules/mail/mail';
import type { Mode } from '../../rules/values/mode';

/** Everything of a category up to a number was read at once. */
@Entity({ name: 'notification_read_marks' })
export class NotificationReadMark {
  @PrimaryColumn({ name: 'account_id', type: 'uuid' })
  accountId!: string;

  @PrimaryColumn({ type: 'text' })
  mode!: Mode | 'both';

  @PrimaryColumn({ type: 'text' })
  category!: NotificationCategory;

  @PrimaryColumn({ name: 'through_seq', type: 'bigint' })
  throughSeq!: number;

  @Column({ name: 'read_at', type: 'timestamptz' })
  readAt!: Date;
}
