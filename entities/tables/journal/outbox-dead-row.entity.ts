import { Column, Entity, PrimaryColumn } from 'typeorm';

/**
 * Work that failed too often to go on by itself; `aps outbox retry` queues it again. One row for
 * the same work, however often it died.
 */
@Entity({ name: 'outbox_dead' })
export class OutboxDeadRow {
  @PrimaryColumn('uuid') id!: string;
  @Column('text') topic!: string;
  @Column('uuid') ref!: string;
  @Column('jsonb') payload!: Record<string, unknown>;
  @Column('uuid') workspaceId!: string;
  @Column('text', { nullable: true }) requestId!: string | null;
  @Column('int') attempts!: number;
  @Column('text') errorCode!: string;
  @Column('timestamptz') queuedAt!: Date;
  @Column('timestamptz') diedAt!: Date;
  /** How often the same work died, as far as it was queued again by a repair. */
  @Column('int') times!: number;
  @Column('timestamptz', { nullable: true }) firstDiedAt!: Date | null;
}
