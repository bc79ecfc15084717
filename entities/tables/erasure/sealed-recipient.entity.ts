import { Column, Entity, PrimaryColumn } from 'typeorm';

/** Address of a mail whose account is erased, encrypted, until the mail is finished. */
@Entity({ name: 'sealed_recipients' })
export class SealedRecipient {
  @PrimaryColumn('uuid') mailId!: string;
  @Column('text') sealed!: string;
}
