import { Column, Entity, Index, PrimaryColumn } from 'typeorm';

/** A digest: one mail in place of many of a type to one person. It takes mails until it is closed. */
@Index('uq_open_mail_digest', ['accountId', 'type'], { unique: true, where: 'closed_at IS NULL' })
@Entity({ name: 'mail_digests' })
export class MailDigest {
  @PrimaryColumn({ primaryKeyConstraintName: 'pk_mail_digests', name: 'mail_id', type: 'uuid' })
  mailId!: string;

  @Column({ name: 'account_id', type: 'uuid' })
  accountId!: string;

  @Column({ type: 'text' })
  type!: string;

  @Column({ name: 'closed_at', type: 'timestamptz', nullable: true })
  closedAt!: Date | null;
}
