import { Check, Column, Entity, PrimaryColumn } from 'typeorm';
import type { Side } from '../../rules/accounts/accounts';

/** What a verification or reset link is bound to; the token itself is derived and never stored. */
@Check('ck_email_tokens_purpose', `purpose IN ('verify', 'reset')`)
@Entity({ name: 'email_tokens' })
export class EmailToken {
  @PrimaryColumn({ type: 'uuid' })
  id!: string;

  @Column({ type: 'text' })
  purpose!: 'verify' | 'reset';

  @Column({ type: 'text' })
  side!: Side;

  @Column({ name: 'account_id', type: 'uuid' })
  accountId!: string;

  @Column({ type: 'text' })
  email!: string;

  @Column({ type: 'int' })
  generation!: number;

  @Column({ name: 'created_at', type: 'timestamptz' })
  createdAt!: Date;

  @Column({ name: 'expires_at', type: 'timestamptz' })
  expiresAt!: Date;

  @Column({ name: 'spent_at', type: 'timestamptz', nullable: true })
  spentAt!: Date | null;
}
