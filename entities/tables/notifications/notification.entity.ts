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
  @PrimaryColumn('uuid') id!: string;
  /** The workspace, or the partner. */
  @Column('uuid') feedId!: string;
  @Column('bigint') seq!: number;
  @Column('text') side!: Side;
  /** Null for the security notices of a partner. */
  @Column('uuid', { nullable: true }) workspaceId!: string | null;
  @Column('text') mode!: Mode | 'both';
  @Column('text') category!: NotificationCategory;
  @Column('text') type!: NotificationType;
  @Column('text') audience!: Audience;
  @Column('uuid', { nullable: true }) memberId!: string | null;
  /** The partner whose name or doing the text is about. */
  @Column('uuid', { nullable: true }) participantId!: string | null;
  @Column('uuid') causeId!: string;
  @Column('text') title!: string;
  @Column('text') body!: string;
  /** Ids only. */
  @Column('jsonb') data!: Record<string, string>;
  @Column('timestamptz') createdAt!: Date;
  @Column('timestamptz', { nullable: true }) dismissedAt!: Date | null;
}
