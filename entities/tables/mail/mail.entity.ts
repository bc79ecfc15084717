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
  @PrimaryColumn('uuid') id!: string;
  @Column('text') type!: string;
  @Column('text', { nullable: true }) side!: Side | null;
  @Column('uuid', { nullable: true }) accountId!: string | null;
  @Column('text', { nullable: true }) recipient!: string | null;
  @Column('text', { nullable: true }) subject!: string | null;
  @Column('uuid', { nullable: true }) workspaceId!: string | null;
  @Column('text', { nullable: true }) mode!: Mode | null;
  @Column('jsonb') params!: Record<string, unknown>;
  @Column('text') status!: MailStatus;
  /** The digest that took its place. */
  @Column('uuid', { nullable: true }) digestId!: string | null;
  @Column('timestamptz') createdAt!: Date;
  @Column('timestamptz', { nullable: true }) finishedAt!: Date | null;
}
