import { Column, Entity, PrimaryColumn } from 'typeorm';
import type { Side } from '../../rules/accounts/accounts';

/** How an account deviates from the defaults of a category. */
@Entity({ name: 'notification_preferences' })
export class NotificationPreference {
  @Column({ type: 'text' })
  side!: Side;

  @PrimaryColumn({
    primaryKeyConstraintName: 'pk_notification_preferences',
    name: 'account_id',
    type: 'uuid',
  })
  accountId!: string;

  @PrimaryColumn({ primaryKeyConstraintName: 'pk_notification_preferences', type: 'text' })
  category!: string;

  @Column({ name: 'in_app', type: 'boolean', nullable: true })
  inApp!: boolean | null;

  @Column({ type: 'boolean', nullable: true })
  email!: boolean | null;

  @Column({ name: 'updated_at', type: 'timestamptz' })
  updatedAt!: Date;
}
