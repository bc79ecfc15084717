import { setTimeout as pause } from 'node:timers/promises';
import type { DataSource, QueryRunner } from 'typeorm';
import { withDataSource } from './data-source';
import { driverCode, isLocked as isRowLocked } from './errors';
import { nextMigration, recordVersion } from './schema-version';
import { isServingRoleReady, prepareServingRole, type Serving } from './serving-role';

/** Any constant: whoever migrates takes this advisory lock first. */
export const migrationLock = 7_204_551;

/** An ALTER that waits for a long transaction makes all traffic of its table wait behind it. */
const lockTimeoutMs = 2_000;
const patienceMs = 10 * 60_000;

/** Takes a sentence for whoever waits. */
export type Say = (sentence: string) => void;

/**
 * Brings the schema up to date, and what the role of the processes may do with it. The URL leads to
 * Postgres itself, past any pooler, as the role that owns the schema. Of those that start together
 * one migrates and the others wait for it.
 */
export async function migrate(
  url: string,
  serving?: Serving,
  say: Say = () => undefined,
): Promise<void> {
  const options = {
    url,
    poolSize: 2,
    applicationName: 'affiliate-migrate',
    statementTimeoutMs: 0,
    // The role's own time-outs, if it has any, are those of requests.
    sessionOptions: `-c statement_timeout=0 -c idle_in_transaction_session_timeout=0 -c lock_timeout=${lockTimeoutMs}`,
  };
  await withDataSource(options, async (source) => {
    // TypeORM's own showMigrations creates its table, which fails for all but one of several.
    if (await nextMigration(source.manager)) {
      await alone(source, () => runPatiently(source, say));
    }
    if (!serving || (await isServingRoleReady(source.manager, serving))) return;
    await alone(source, () => prepareServingRole(source.manager, serving));
  });
}

/**
 * With the lock of a transaction, which a lost connection gives back. It is tried and not waited
 * for: CREATE INDEX CONCURRENTLY waits for every statement that is under way, and a statement that
 * waits for the lock is one.
 */
async function alone(source: DataSource, work: () => Promise<void>): Promise<void> {
  const holder = source.createQueryRunner();
  try {
    await untilDone('another process migrates', async () => {
      await holder.startTransaction();
      if (await isLocked(holder)) return true;
      await holder.rollbackTransaction();
      return false;
    });
    await work();
    await holder.commitTransaction();
  } finally {
    if (holder.isTransactionActive) await holder.rollbackTransaction().catch(() => undefined);
    await holder.release();
  }
}

async function isLocked(holder: QueryRunner): Promise<boolean> {
  // Without a parameter: the portal of one keeps its snapshot, for which CONCURRENTLY would wait.
  const [row] = (await holder.query(
    `SELECT pg_try_advisory_xact_lock(${migrationLock}) AS locked`,
  )) as { locked: boolean }[];
  return row?.locked === true;
}

/** What did not get a lock in time is tried again: traffic goes on between two attempts. */
async function runPatiently(source: DataSource, say: Say): Promise<void> {
  let waits = false;
  await untilDone('other transactions hold their locks', async () => {
    try {
      await source.runMigrations();
      await recordVersion(source.manager);
      return true;
    } catch (error) {
      // A statement that was too long on a busy day is tried again as well.
      if (!isRowLocked(error) && driverCode(error) !== '57014') throw error;
      if (!waits) say(await waitingSentence(source));
      waits = true;
      return false;
    }
  });
}

async function waitingSentence(source: DataSource): Promise<string> {
  const name = await nextMigration(source.manager);
  return `The migration ${name} waits for locks that other transactions hold: it is tried for ${patienceMs / 60_000} minutes.`;
}

async function untilDone(obstacle: string, attempt: () => Promise<boolean>): Promise<void> {
  const deadline = Date.now() + patienceMs;
  while (!(await attempt())) {
    if (Date.now() > deadline) throw new Error(`The schema was not migrated: ${obstacle}.`);
    await pause(500);
  }
}
