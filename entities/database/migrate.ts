import { setTimeout as pause } from 'node:timers/promises';
import { withDatabase, type Database } from './database';
import { driverCode, isLocked } from './errors';
import { createOrm, withOrm } from './orm';
import { nextMigration, recordVersion } from './schema-version';
import { isServingRoleReady, prepareServingRole, type Serving } from './serving-role';
import { queryOne, transaction, type Db } from './sql';

/** Any constant: whoever migrates takes this advisory lock first. */
export const migrationLock = 7_204_551;

/** An ALTER that waits for a long transaction makes all traffic of its table wait behind it. */
const lockTimeoutMs = 2_000;
const patienceMs = 10 * 60_000;

/** The role's own time-outs, if it has any, are those of requests. */
const sessionOptions = `-c statement_timeout=0 -c idle_in_transaction_session_timeout=0 -c lock_timeout=${lockTimeoutMs}`;

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
  const applicationName = 'affiliate-migrate';
  const isDone = async (db: Db): Promise<boolean> =>
    !(await nextMigration(db)) && (!serving || (await isServingRoleReady(db, serving)));
  // The question has a bounded time, for a server that is frozen would keep a start waiting.
  if (await withDatabase({ url, poolSize: 1, applicationName }, isDone)) return;
  const options = { url, poolSize: 2, applicationName, statementTimeoutMs: 0, sessionOptions };
  await withDatabase(options, async (database) => {
    if (await nextMigration(database)) {
      await alone(database, () => runPatiently(database, url, say));
    }
    if (!serving || (await isServingRoleReady(database, serving))) return;
    await alone(database, () => prepareServingRole(database, serving));
  });
}

/**
 * Does the work while this process alone migrates, under a lock of a transaction, which a lost
 * connection gives back. The lock is tried and not waited for: CREATE INDEX CONCURRENTLY waits for
 * every statement that is under way, and a statement that waits for the lock is one.
 */
function alone(database: Database, work: () => Promise<void>): Promise<void> {
  return untilDone('another process migrates', () =>
    transaction(database, async (holder) => {
      if (!(await holdsLock(holder))) return false;
      await work();
      return true;
    }),
  );
}

async function holdsLock(holder: Db): Promise<boolean> {
  // The statement has no parameter: the portal of one keeps its snapshot, for which CONCURRENTLY would wait.
  const row = await queryOne<{ locked: boolean }>(
    holder,
    `SELECT pg_try_advisory_xact_lock(${migrationLock}) AS locked`,
  );
  return row?.locked === true;
}

/** What did not get a lock in time is tried again: traffic goes on between two attempts. */
async function runPatiently(database: Database, url: string, say: Say): Promise<void> {
  let waits = false;
  const orm = createOrm(url, sessionOptions);
  const run = async (): Promise<boolean> => {
    try {
      await orm.runMigrations();
      await recordVersion(database);
      return true;
    } catch (error) {
      // A statement that was too long on a busy day is tried again as well.
      if (!isLocked(error) && driverCode(error) !== '57014') throw error;
      if (!waits) say(await waitingSentence(database));
      waits = true;
      return false;
    }
  };
  await withOrm(orm, () => untilDone('other transactions hold their locks', run));
}

async function waitingSentence(db: Db): Promise<string> {
  const name = await nextMigration(db);
  return `The migration ${name} waits for locks that other transactions hold: it is tried for ${patienceMs / 60_000} minutes.`;
}

async function untilDone(obstacle: string, attempt: () => Promise<boolean>): Promise<void> {
  const deadline = Date.now() + patienceMs;
  while (!(await attempt())) {
    if (Date.now() > deadline) throw new Error(`The schema was not migrated: ${obstacle}.`);
    await pause(500);
  }
}
