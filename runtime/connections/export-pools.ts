import type { Pool } from 'pg';
import { openPool } from '../../entities/database/connection';
import type { Config } from '../config/config';
import { gauge, type Registry } from '../observe/metrics';

export type ExportDatabases = Pick<Config, 'databaseUrl' | 'databaseReplicaUrl' | 'databasePooler'>;

const pageTimeoutMs = 30_000;
/** A replica further behind shows what has been erased or changed since; it is asked as often. */
const maxLagSeconds = 5;

/** Which database the next export reads: the replica while it keeps up, else the primary. */
export function createExportPools(
  databases: ExportDatabases,
  { connections, metrics }: { connections: number; metrics?: Registry },
): () => Promise<Pool> {
  const { databaseUrl, databaseReplicaUrl, databasePooler } = databases;
  const pages = { connections, databasePooler, statementTimeoutMs: pageTimeoutMs };
  const primary = openReader(databaseUrl, pages);
  const lag = metrics && replicaLag(metrics);
  if (databaseReplicaUrl === undefined) return () => Promise.resolve(primary);

  const replica = openReader(databaseReplicaUrl, pages);
  // The question has a connection of its own, so that it waits behind no page; a replica that
  // stands still keeps no export waiting.
  const asking = openReader(databaseReplicaUrl, {
    connections: 1,
    databasePooler,
    statementTimeoutMs: 2_000,
  });
  let asked: { at: number; isFresh: Promise<boolean> } | undefined;
  return async () => {
    if (!asked || performance.now() - asked.at > maxLagSeconds * 1_000) {
      asked = { at: performance.now(), isFresh: isFresh(asking, lag) };
    }
    return (await asked.isFresh) ? replica : primary;
  };
}

interface PoolOptions extends Pick<Config, 'databasePooler'> {
  connections: number;
  statementTimeoutMs: number;
}

/** A lost connection fails the page that it was reading. */
function openReader(
  url: string,
  { connections, databasePooler, statementTimeoutMs }: PoolOptions,
): Pool {
  return openPool({
    connectionString: url,
    max: connections,
    // Pages of many exports wait for each other.
    connectionTimeoutMillis: pageTimeoutMs,
    idleTimeoutMillis: 2_000,
    allowExitOnIdle: true,
    query_timeout: statementTimeoutMs + 1_000,
    // Through a pooler a session has no settings of its own: there the role's time-outs hold.
    ...(databasePooler === 'none' && {
      statement_timeout: statementTimeoutMs,
      options: '-c default_transaction_read_only=on',
    }),
  });
}

/**
 * Whether the replica keeps up, by the last transaction that it replayed. That is long ago where
 * the primary has no traffic, and then the primary has time to be read itself.
 */
async function isFresh(
  replica: Pool,
  shown: ReturnType<typeof replicaLag> | undefined,
): Promise<boolean> {
  const lag = await replica.query<{ lag: number | null }>(lagQuery).then(
    ({ rows }) => rows[0]?.lag ?? null,
    () => null,
  );
  shown?.set(lag ?? -1);
  return lag !== null && lag < maxLagSeconds;
}

function replicaLag(metrics: Registry) {
  const help =
    'How long ago the last transaction was that the replica replayed; -1: away, 0: there is none';
  return gauge(metrics, { name: 'db_replica_lag_seconds', help, zeros: [{}] });
}

const lagQuery = `
  SELECT CASE WHEN pg_is_in_recovery()
    THEN extract(epoch FROM now() - pg_last_xact_replay_timestamp())::float8 ELSE 0 END AS lag`;
