import { Column, Entity, PrimaryColumn } from 'typeorm';

/**
 * Work that failed too often to go on by itself; `npm run outbox -- retry` queues it again. One row for
 * the same work, however often it died.
 */
@Entity({ name: 'outbox_dead' })
export class OutboxDeadRow {
  @PrimaryColumn({ type: 'uuid' })
  id!: string;

  @Column({ type: 'text' })
  topic!: string;

  @Column({ type: 'uuid' })
  ref!: string;

  @Column({ type: 'jsonb' })
  payload!: Record<string, unknown>;

  @Column({ name: 'workspace_id', type: 'uuid' })
  workspaceId!: string;

  @Column({ name: 'request_id', type: 'text', nullable: true })
  requestId!: string | null;

  @Column({ type: 'int' })
  attempts!: number;

  @Column({ name: 'error_code', type: 'text' })
  errorCode!: string;

  @Column({ name: 'queued_at', type: 'timestamptz' })
  queuedAt!: Date;

  @Column({ name: 'died_at', type: 'timestamptz' })
  diedAt!: Date;

  /** How often the same work died, as far as it was queued again by a repair. */
  @Column({ type: 'int' })
  times!: number;

  @Column({ name: 'first_died_at', type: 'timestamptz', nullable: true })
  firstDiedAt!: Date | null;
}
