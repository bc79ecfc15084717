import { Check, Column, Entity, Index, PrimaryColumn } from 'typeorm';
import type { Side } from '../../rules/accounts/accounts';
import type { NotificationCategory } from '../../rules/mail/mail';
import type { Audience, NotificationType } from '../../rules/notifications/types';
import type { Mode } from '../../rules/values/mode';

/** What a workspace or a partner is notified of. */
@Check('ck_notifications_audience', `audience IN ('everyone', 'admins', 'member')`)
@Check('ck_notifications_mode', `mode IN ('test', 'live', 'both')`)
@Check('ck_notifications_side', `side IN ('merchant', 'partner')`)
@Index('uq_notification_cause', ['causeId', 'feedId', 'type'], { unique: true })
@Index('uq_notification_seq', ['feedId', 'seq'], { unique: true })
@Entity({ name: 'notifications' })
export class Notification {
  @PrimaryColumn({ type: 'uuid' })
  id!: string;

  /** The workspace, or the partner. */
  @Column({ name: 'feed_id', type: 'uuid' })
  feedId!: string;

  @Column({ type: 'bigint' })
  seq!: number;

  @Column({ type: 'text' })
  side!: Side;

  /** Null for the security notices of a partner. */
  @Column({ name: 'workspace_id', type: 'uuid', nullable: true })
  workspaceId!: string | null;

  @Column({ type: 'text' })
  mode!: Mode | 'both';

  @Column({ type: 'text' })
  category!: NotificationCategory;

  @Column({ type: 'text' })
  type!: NotificationType;

  @Column({ type: 'text' })
  audience!: Audience;

  @Column({ name: 'member_id', type: 'uuid', nullable: true })
  memberId!: string | null;

  /** Whose name or doing the text is about. */
  @Column({ name: 'participant_id', type: 'uuid', nullable: true })
  participantId!: string | null;

  @Column({ name: 'cause_id', type: 'uuid' })
  causeId!: string;

  @Column({ type: 'text' })
  title!: string;

  @Column({ type: 'text' })
  body!: string;

  /** Ids only. */
  @Column({ type: 'jsonb' })
  data!: Record<string, string>;

  @Column({ name: 'created_at', type: 'timestamptz' })
  createdAt!: Date;

  @Column({ name: 'dismissed_at', type: 'timestamptz', nullable: true })
  dismissedAt!: Date | null;
}
