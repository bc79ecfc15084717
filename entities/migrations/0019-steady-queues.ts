import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The outbox by workspace with its dead letters, indexes for what is purged, and vacuum settings. */
export class SteadyQueues1700000000019 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(outbox);
    await runner.query(requeues);
    await runner.query(purgeIndexes);
    await runner.query(vacuumSettings(hotTables));
  }

  async down(runner: QueryRunner): Promise<void> {
    const settings = [
      'autovacuum_vacuum_scale_factor',
      'autovacuum_vacuum_threshold',
      'autovacuum_vacuum_insert_scale_factor',
    ].join(', ');
    for (const table of Object.keys(hotTables)) {
      await runner.query(`ALTER TABLE ${table} RESET (${settings})`);
    }
    await runner.query(`
      DROP INDEX ix_sessions_revoked, ix_refresh_tokens_expires, ix_account_addresses_seen,
        ix_login_failures_failed, ix_email_tokens_expires, ix_mails_queued;
      DROP TABLE webhook_requeues, outbox_dead;
      DROP INDEX ix_outbox_workspace;
      ALTER TABLE outbox DROP CONSTRAINT pk_outbox, ADD CONSTRAINT outbox_pkey PRIMARY KEY (id),
        DROP COLUMN workspace_id, DROP COLUMN lease_token, DROP COLUMN lease_until,
        DROP COLUMN error_code;
      ALTER TABLE outbox RESET (fillfactor);
      CREATE INDEX ix_outbox_available ON outbox (topic, available_at, id);
    `);
  }
}

// No index has a column that a claim or a release writes, so that these stay in their page and
// leave nothing behind in an index. "workspace_id" is all ones for what belongs to none.
const outbox = `
  ALTER TABLE outbox
    ADD COLUMN workspace_id uuid NOT NULL DEFAULT 'ffffffff-ffff-ffff-ffff-ffffffffffff',
    ADD COLUMN lease_token uuid,
    ADD COLUMN lease_until timestamptz,
    ADD COLUMN error_code text;
  ALTER TABLE outbox DROP CONSTRAINT outbox_pkey, ADD CONSTRAINT pk_outbox PRIMARY KEY (topic, id);
  DROP INDEX ix_outbox_available;
  CREATE INDEX ix_outbox_workspace ON outbox (topic, workspace_id, id);
  ALTER TABLE outbox SET (fillfactor = 70);

  CREATE TABLE outbox_dead (
    id uuid PRIMARY KEY,
    topic text NOT NULL,
    ref uuid NOT NULL,
    payload jsonb NOT NULL,
    workspace_id uuid NOT NULL,
    attempts int NOT NULL,
    error_code text NOT NULL,
    queued_at timestamptz NOT NULL,
    died_at timestamptz NOT NULL
  );
  CREATE INDEX ix_outbox_dead_topic ON outbox_dead (topic, died_at);
`;

// A range of dead letters that somebody was promised would be queued again, until it is.
const requeues = `
  CREATE TABLE webhook_requeues (
    id uuid PRIMARY KEY,
    workspace_id uuid NOT NULL,
    mode text NOT NULL CONSTRAINT ck_webhook_requeues_mode CHECK (mode IN ('test', 'live')),
    endpoint_id uuid NOT NULL,
    since timestamptz,
    until timestamptz NOT NULL,
    created_at timestamptz NOT NULL
  );
  CREATE INDEX ix_webhook_requeues_endpoint ON webhook_requeues (endpoint_id);
  CREATE INDEX ix_webhook_requeues_created ON webhook_requeues (created_at);
`;

const purgeIndexes = `
  CREATE INDEX ix_sessions_revoked ON sessions (revoked_at) WHERE revoked_at IS NOT NULL;
  CREATE INDEX ix_refresh_tokens_expires ON refresh_tokens (expires_at);
  CREATE INDEX ix_account_addresses_seen ON account_addresses (last_seen_at);
  CREATE INDEX ix_login_failures_failed ON login_failures (failed_at);
  CREATE INDEX ix_email_tokens_expires ON email_tokens (expires_at);
  CREATE INDEX ix_mails_queued ON mails (created_at) WHERE status = 'queued';
`;

interface Vacuum {
  share: number;
  rows: number;
}

/** By default a fifth of a table has to be dead first: of a queue or a large table, far too much. */
export const hotTables: Readonly<Record<string, Vacuum>> = {
  outbox: { share: 0, rows: 1_000 },
  commission_count_deltas: { share: 0, rows: 1_000 },
  idempotency_keys: { share: 0.02, rows: 1_000 },
  webhook_endpoints: { share: 0.02, rows: 200 },
  webhook_deliveries: { share: 0.02, rows: 1_000 },
  stripe_events: { share: 0.02, rows: 1_000 },
  commissions: { share: 0.02, rows: 1_000 },
  conversions: { share: 0.02, rows: 1_000 },
};

function vacuumSettings(tables: typeof hotTables): string {
  const settings = Object.entries(tables).map(
    ([table, { share, rows }]) => `ALTER TABLE ${table} SET (
      autovacuum_vacuum_scale_factor = ${share}, autovacuum_vacuum_threshold = ${rows},
      autovacuum_vacuum_insert_scale_factor = 0.05);`,
  );
  return settings.join('\n');
}
