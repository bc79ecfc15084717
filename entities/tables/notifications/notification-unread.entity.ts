import { Column, Entity, PrimaryColumn } from 'typeorm';
import type { NotificationCategory } from '../../rules/mail/mail';
import type { Mode } from '../../rules/values/mode';

/** How many of a category an account has not read; without a row: all of the total. */
@Entity({ name: 'notification_unread' })
export class NotificationUnread {
  @PrimaryColumn('uuid') feedId!: string;
  @PrimaryColumn('uuid') accountId!: string;
  @PrimaryColumn('text') mode!: Mode;
  @PrimaryColumn('text') category!: NotificationCategory;
  @Column('int') unread!: number;
}
