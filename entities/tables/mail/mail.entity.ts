import { Check, Column, Entity, PrimaryColumn } from 'typeorm';
import type { MailStatus } from '../../rules/mail/mail';
import type { Mode } from '../../rules/values/mode';
import type { Side } from '../../rules/accounts/accounts';

/** A mail: queued, sent, or kept in the notification log of test mode. */
@Check('ck_mails_mode', `mode IN ('test', 'live')`)
@Check('ck_mails_side', `side IN ('merchant', 'partner')`)
@Check(
  'ck_mails_status',
  `status IN ('queued', 'sent', 'suppressed', 'redirected', 'throttled', 'digested', 'dropped', 'failed')`,
)
@Entity({ name: 'mails' })
export class Mail {
  @PrimaryColumn({ type: 'uuid' })
  id!: string;

  @Column({ type: 'text' })
  type!: string;

  @Column({ type: 'text', nullable: true })
  side!: Side | null;

  @Column({ name: 'account_id', type: 'uuid', nullable: true })
  accountId!: string | null;

  @Column({ type: 'text', nullable: true })
  recipient!: string | null;

  @Column({ type: 'text', nullable: true })
  subject!: string | null;

  @Column({ name: 'workspace_id', type: 'uuid', nullable: true })
  workspaceId!: string | null;

  @Column({ type: 'text', nullable: true })
  mode!: Mode | null;

  @Column({ type: 'jsonb' })
  params!: Record<string, unknown>;

  @Column({ type: 'text' })
  status!: MailStatus;

  /** The digest that took its place. */
  @Column({ name: 'digest_id', type: 'uuid', nullable: true })
  digestId!: string | null;

  @Column({ name: 'created_at', type: 'timestamptz' })
  createdAt!: Date;

  @Column({ name: 'finished_at', type: 'timestamptz', nullable: true })
  finishedAt!: Date | null;
}
