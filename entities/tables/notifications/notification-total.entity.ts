import { Column, Entity, PrimaryColumn } from 'typeorm';
import type { NotificationCategory } from '../../rules/mail/mail';
import type { Mode } from '../../rules/values/mode';

/** How many notifications of a category a feed has; security notices are not counted here. */
@Entity({ name: 'notification_totals' })
export class NotificationTotal {
  @PrimaryColumn({ name: 'feed_id', type: 'uuid' })
  feedId!: string;

  @PrimaryColumn({ type: 'text' })
  mode!: Mode;

  @PrimaryColumn({ type: 'text' })
  category!: NotificationCategory;

  @Column({ type: 'int' })
  total!: number;
}
