import { Column, Entity, PrimaryColumn } from 'typeorm';

/** One refresh token of a family, as a hash; spent ones stay, so that a second use is seen. */
@Entity({ name: 'refresh_tokens' })
export class RefreshToken {
  @PrimaryColumn({ name: 'token_hash', type: 'text' })
  tokenHash!: string;

  @Column({ name: 'session_id', type: 'uuid' })
  sessionId!: string;

  @Column({ name: 'created_at', type: 'timestamptz' })
  createdAt!: Date;

  @Column({ name: 'expires_at', type: 'timestamptz' })
  expiresAt!: Date;

  @Column({ name: 'spent_at', type: 'timestamptz', nullable: true })
  spentAt!: Date | null;

  /** When it was used a second time, within the leeway, and answered with a sibling. */
  @Column({ name: 'sibling_at', type: 'timestamptz', nullable: true })
  siblingAt!: Date | null;
}
