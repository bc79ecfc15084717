import { Column, Entity, PrimaryColumn } from 'typeorm';
import type { NotificationCategory } from '../../rules/mail/mail';
import type { Mode } from '../../rules/values/mode';

/** How many notifications of a category a feed has; security notices are not counted here. */
@Entity({ name: 'notification_totals' })
export class NotificationTotal {
  @PrimaryColumn('uuid') feedId!: string;
  @PrimaryColumn('text') mode!: Mode;
  @PrimaryColumn('text') category!: NotificationCategory;
  @Column('int') total!: number;
}
