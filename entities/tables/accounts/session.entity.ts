import { Check, Column, Entity, PrimaryColumn } from 'typeorm';
import type { Side } from '../../rules/accounts/accounts';

/** A sign-in: one family of refresh tokens. */
@Check('ck_sessions_side', `side IN ('merchant', 'partner')`)
@Entity({ name: 'sessions' })
export class Session {
  @PrimaryColumn('uuid') id!: string;
  @Column('text') side!: Side;
  @Column('uuid') accountId!: string;
  @Column('text', { nullable: true }) userAgent!: string | null;
  @Column('timestamptz') createdAt!: Date;
  @Column('timestamptz') lastUsedAt!: Date;
  @Column('timestamptz') expiresAt!: Date;
  /** The time since which two siblings of a token live beside each other. */
  @Column('timestamptz', { nullable: true }) splitAt!: Date | null;
  @Column('timestamptz', { nullable: true }) revokedAt!: Date | null;
}
