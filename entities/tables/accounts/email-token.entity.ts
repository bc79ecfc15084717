import { Check, Column, Entity, PrimaryColumn } from 'typeorm';
import type { Side } from '../../rules/accounts/accounts';

/** What a verification or reset link is bound to; the token itself is derived and never stored. */
@Check('ck_email_tokens_purpose', `purpose IN ('verify', 'reset')`)
@Entity({ name: 'email_tokens' })
export class EmailToken {
  @PrimaryColumn('uuid') id!: string;
  @Column('text') purpose!: 'verify' | 'reset';
  @Column('text') side!: Side;
  @Column('uuid') accountId!: string;
  @Column('text') email!: string;
  @Column('int') generation!: number;
  @Column('timestamptz') createdAt!: Date;
  @Column('timestamptz') expiresAt!: Date;
  @Column('timestamptz', { nullable: true }) spentAt!: Date | null;
}
