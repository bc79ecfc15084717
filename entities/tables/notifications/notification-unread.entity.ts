import { Column, Entity, PrimaryColumn } from 'typeorm';
import type { NotificationCategory } from '../../rules/mail/mail';
import type { Mode } from '../../rules/values/mode';

/** How many of a category an account has not read; without a row: all of the total. */
@Entity({ name: 'notification_unread' })
export class NotificationUnread {
  @PrimaryColumn({ name: 'feed_id', type: 'uuid' })
  feedId!: string;

  @PrimaryColumn({ name: 'account_id', type: 'uuid' })
  accountId!: string;

  @PrimaryColumn({ type: 'text' })
  mode!: Mode;

  @PrimaryColumn({ type: 'text' })
  category!: NotificationCategory;

  @Column({ type: 'int' })
  unread!: number;
}
