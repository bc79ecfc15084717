import { Column, Entity, PrimaryColumn } from 'typeorm';

/** A mail counted on one of the numbers that bound mails: of an address, a person or a workspace. */
@Entity({ name: 'mail_counts' })
export class MailCount {
  /** What is counted: ids, a type, and keyed hashes of addresses. */
  @PrimaryColumn({ primaryKeyConstraintName: 'pk_mail_counts', type: 'text' })
  counter!: string;

  @PrimaryColumn({ primaryKeyConstraintName: 'pk_mail_counts', name: 'mail_id', type: 'uuid' })
  mailId!: string;

  @Column({ name: 'counted_at', type: 'timestamptz' })
  countedAt!: Date;
}
