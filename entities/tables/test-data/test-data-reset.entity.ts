import { Check, Column, Entity, Index, PrimaryColumn } from 'typeorm';
import type { ResetScope, ResetStatus } from '../../rules/test-data/reset';

/** A reset of a workspace's test data: what it has done so far, and how it ended. */
@Check('ck_test_data_resets_status', `status IN ('queued', 'running', 'completed', 'failed')`)
@Check('ck_test_data_resets_scope', `scope IN ('test_data', 'workspace')`)
@Index('uq_test_data_reset_open', ['workspaceId'], {
  unique: true,
  where: `status IN ('queued', 'running')`,
})
@Entity({ name: 'test_data_resets' })
export class TestDataReset {
  @PrimaryColumn({ type: 'uuid' })
  id!: string;

  @Column({ name: 'workspace_id', type: 'uuid' })
  workspaceId!: string;

  /** Test data; or, of a workspace that was closed, everything. */
  @Column({ type: 'text' })
  scope!: ResetScope;

  @Column({ type: 'text' })
  status!: ResetStatus;

  /** Rows by table. */
  @Column({ type: 'jsonb' })
  deleted!: Record<string, number>;

  @Column({ name: 'created_at', type: 'timestamptz' })
  createdAt!: Date;

  @Column({ name: 'started_at', type: 'timestamptz', nullable: true })
  startedAt!: Date | null;

  /** When the last programme was gone: what was written until then goes, what comes later stays. */
  @Column({ name: 'closed_at', type: 'timestamptz', nullable: true })
  closedAt!: Date | null;

  @Column({ name: 'finished_at', type: 'timestamptz', nullable: true })
  finishedAt!: Date | null;

  /** The last sign of life of its workflow. */
  @Column({ name: 'touched_at', type: 'timestamptz' })
  touchedAt!: Date;
}
