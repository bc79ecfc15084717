import { Column, Entity, PrimaryColumn } from 'typeorm';

/** A merchant: the tenant that everything else belongs to. */
@Entity({ name: 'workspaces' })
export class Workspace {
  @PrimaryColumn({ type: 'uuid' })
  id!: string;

  @Column({ type: 'text' })
  name!: string;

  @Column({ name: 'test_email_redirect', type: 'text', nullable: true })
  testEmailRedirect!: string | null;

  /** Members without a second factor reach nothing but their own account. */
  @Column({ name: 'require_two_factor', type: 'boolean' })
  requireTwoFactor!: boolean;

  @Column({ name: 'created_at', type: 'timestamptz' })
  createdAt!: Date;

  @Column({ name: 'updated_at', type: 'timestamptz' })
  updatedAt!: Date;

  /** When it will be closed; null unless an owner asked for it. */
  @Column({ name: 'closes_at', type: 'timestamptz', nullable: true })
  closesAt!: Date | null;

  /** When that was asked, by the clock of the database, which alone writes it. */
  @Column({
    name: 'closing_since',
    type: 'timestamptz',
    nullable: true,
    insert: false,
    update: false,
  })
  closingSince!: Date | null;

  /** When it was closed: from then on its rows go. */
  @Column({ name: 'closed_at', type: 'timestamptz', nullable: true })
  closedAt!: Date | null;
}
