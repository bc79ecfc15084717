import { Column, Entity, PrimaryColumn } from 'typeorm';

/** One refresh token of a family, as a hash; spent ones stay, so that a second use is seen. */
@Entity({ name: 'refresh_tokens' })
export class RefreshToken {
  @PrimaryColumn('text') tokenHash!: string;
  @Column('uuid') sessionId!: string;
  @Column('timestamptz') createdAt!: Date;
  @Column('timestamptz') expiresAt!: Date;
  @Column('timestamptz', { nullable: true }) spentAt!: Date | null;
  /** When it was used a second time, within the leeway, and answered with a sibling. */
  @Column('timestamptz', { nullable: true }) siblingAt!: Date | null;
  /** Siblings have each their own, which what follows them inherits; null is the first. */
  @Column('uuid', { nullable: true }) branch!: string | null;
  /** When it ended because its sibling went on. */
  @Column('timestamptz', { nullable: true }) endedAt!: Date | null;
}
