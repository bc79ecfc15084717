import { Column, Entity, Index, PrimaryColumn } from 'typeorm';

/** A digest: one mail in place of many of a type to one person. It takes mails until it is closed. */
@Index('uq_open_mail_digest', ['accountId', 'type'], { unique: true, where: 'closed_at IS NULL' })
@Entity({ name: 'mail_digests' })
export class MailDigest {
  @PrimaryColumn('uuid', { primaryKeyConstraintName: 'pk_mail_digests' }) mailId!: string;
  @Column('uuid') accountId!: string;
  @Column('text') type!: string;
  @Column('timestamptz', { nullable: true }) closedAt!: Date | null;
}
