import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * One kind of due: the relay finds its rows by when they are due, of all workspaces or of one. A row
 * that is not due yet is passed by, and neither a lease nor its renewal touches an index.
 */
export class OneClaim1700000000043 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      DROP INDEX ix_outbox_delayed_due, ix_outbox_delayed_workspace, ix_outbox_workspace;
      CREATE INDEX ix_outbox_due ON outbox (topic, available_at, id);
      CREATE INDEX ix_outbox_workspace_due ON outbox (topic, workspace_id, available_at, id);
      ALTER TABLE outbox RENAME COLUMN put_offs TO deferrals`);
  }

  async down(runner: QueryRunner): Promise<void> {
    const isDelayed = `available_at - created_at > '5 seconds'::interval`;
    await runner.query(`
      ALTER TABLE outbox RENAME COLUMN deferrals TO put_offs;
      DROP INDEX ix_outbox_due, ix_outbox_workspace_due;
      CREATE INDEX ix_outbox_workspace ON outbox (topic, workspace_id, id);
      CREATE INDEX ix_outbox_delayed_due ON outbox (topic, available_at) WHERE ${isDelayed};
      CREATE INDEX ix_outbox_delayed_workspace ON outbox (topic, workspace_id, available_at)
        WHERE ${isDelayed}`);
  }
}
