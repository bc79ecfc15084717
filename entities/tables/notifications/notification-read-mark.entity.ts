import { Column, Entity, PrimaryColumn } from 'typeorm';
import type { NotificationCategory } from '../../rules/mail/mail';
import type { Mode } from '../../rules/values/mode';

/** Everything of a category up to a number was read at once. */
@Entity({ name: 'notification_read_marks' })
export class NotificationReadMark {
  @PrimaryColumn('uuid') accountId!: string;
  @PrimaryColumn('text') mode!: Mode | 'both';
  @PrimaryColumn('text') category!: NotificationCategory;
  @PrimaryColumn('bigint') throughSeq!: number;
  @Column('timestamptz') readAt!: Date;
}
