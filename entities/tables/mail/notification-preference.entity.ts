import { Column, Entity, PrimaryColumn } from 'typeorm';
import type { Side } from '../../rules/accounts/accounts';

/** How an account deviates from the defaults of a category. */
@Entity({ name: 'notification_preferences' })
export class NotificationPreference {
  @Column('text') side!: Side;
  @PrimaryColumn('uuid', { primaryKeyConstraintName: 'pk_notification_preferences' })
  accountId!: string;
  @PrimaryColumn('text', { primaryKeyConstraintName: 'pk_notification_preferences' })
  category!: string;
  @Column('boolean', { nullable: true }) inApp!: boolean | null;
  @Column('boolean', { nullable: true }) email!: boolean | null;
  @Column('timestamptz') updatedAt!: Date;
}
