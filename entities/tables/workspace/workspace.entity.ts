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
}
