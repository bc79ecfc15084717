import { Column, Entity, PrimaryColumn } from 'typeorm';

/** A mail counted on one of the numbers that bound mails: of an address, a person or a workspace. */
@Entity({ name: 'mail_counts' })
export class MailCount {
  /** What is counted: ids, a type, and keyed hashes of addresses. */
  @PrimaryColumn('text', { primaryKeyConstraintName: 'pk_mail_counts' }) counter!: string;
  @PrimaryColumn('uuid', { primaryKeyConstraintName: 'pk_mail_counts' }) mailId!: string;
  @Column('timestamptz') countedAt!: Date;
}
