import { Column, Entity, PrimaryColumn } from 'typeorm';

/** Work that must follow a commit; deleted once done. */
@Entity({ name: 'outbox' })
export class OutboxRow {
  @PrimaryColumn({ primaryKeyConstraintName: 'pk_outbox', type: 'text' })
  topic!: string;

  @PrimaryColumn({ primaryKeyConstraintName: 'pk_outbox', type: 'bigint', insert: false })
  id!: number;

  @Column({ type: 'uuid' })
  ref!: string;

  @Column({ type: 'jsonb' })
  payload!: Record<string, unknown>;

  /** All ones for what belongs to no workspace. */
  @Column({ name: 'workspace_id', type: 'uuid' })
  workspaceId!: string;

  @Column({ name: 'available_at', type: 'timestamptz' })
  availableAt!: Date;

  /** Of the request that it follows. */
  @Column({ name: 'request_id', type: 'text', nullable: true })
  requestId!: string | null;

  @Column({ type: 'int', insert: false })
  attempts!: number;

  /** How often in all it was deferred, with nothing known to be wrong with it. */
  @Column({ type: 'int', insert: false })
  deferrals!: number;

  @Column({ name: 'lease_token', type: 'uuid', nullable: true, insert: false })
  leaseToken!: string | null;

  @Column({ name: 'lease_until', type: 'timestamptz', nullable: true, insert: false })
  leaseUntil!: Date | null;

  /** Why the last attempt failed. */
  @Column({ name: 'error_code', type: 'text', nullable: true, insert: false })
  errorCode!: string | null;

  @Column({ name: 'created_at', type: 'timestamptz', insert: false })
  createdAt!: Date;
}
