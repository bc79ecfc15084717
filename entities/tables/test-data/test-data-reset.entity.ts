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
  @PrimaryColumn('uuid') id!: string;
  @Column('uuid') workspaceId!: string;
  /** Test data; or, of a workspace that was closed, everything. */
  @Column('text') scope!: ResetScope;
  @Column('text') status!: ResetStatus;
  /** Rows by table. */
  @Column('jsonb') deleted!: Record<string, number>;
  @Column('timestamptz') createdAt!: Date;
  @Column('timestamptz', { nullable: true }) startedAt!: Date | null;
  /** When the last programme was gone: what was written until then goes, what comes later stays. */
  @Column('timestamptz', { nullable: true }) closedAt!: Date | null;
  @Column('timestamptz', { nullable: true }) finishedAt!: Date | null;
  /** The last sign of life of its workflow. */
  @Column('timestamptz') touchedAt!: Date;
}
