import { isLocked } from '../../entities/database/errors';
import {
  type Db,
  execute,
  queryOne,
  rowsAtOnce,
  sliceMs,
  transaction,
} from '../../entities/database/sql';
import {
  partsKeptSince,
  startOfPart,
  type Keeping,
} from '../../entities/rules/retention/partition-times';
import { partitionRules, type PartitionRule } from '../../entities/rules/retention/retention';
import { retry, waits } from '../../runtime/load/retry';

/** Longest wait for the lock on a parent: traffic queues up behind whoever waits for it. */
const lockTimeout = '2s';

/** Partitions of some tables could not be made or dropped; those of the others were. */
class PartitionsError extends AggregateError {
  override readonly name = 'PartitionsError';

  constructor(failed: readonly { table: string; error: unknown }[]) {
    const sentences = failed.map(({ table, error }) => `${table}: ${String(error)}`);
    super(
      failed.map(({ error }) => error),
      `partitions failed of ${sentences.join('; ')}`,
    );
  }
}

/**
 * Makes the partitions that are due soon and drops those past their time; how many of both. Begins nothing more
 * once `signal` is aborted: each step waits for locks, and a process that stops has no time for all of them.
 */
export function keepPartitions(db: Db, keeping: Keeping, signal?: AbortSignal): Promise<number> {
  return takeAll([...stepsToMake(db, keeping.now), ...stepsToDrop(db, keeping)], signal);
}

/**
 * Makes the partitions that are due soon, of each table by itself. Repeating it does nothing; returns
 * how many it made. What came before its partition is moved there, unless it is a lot.
 */
export function ensurePartitions(db: Db, now: Date): Promise<number> {
  return takeAll(stepsToMake(db, now));
}

/** Drops the partitions whose every row is past its time. Returns how many went. */
export function dropPartitions(db: Db, keeping: Keeping): Promise<number> {
  return takeAll(stepsToDrop(db, keeping));
}

/**
 * Makes the partitions in a deploy step: tries again while other transactions are in the way. Says
 * so, and gives up in the end without an error: the schedule goes on with it.
 */
export async function ensurePartitionsPatiently(
  db: Db,
  now: Date,
  { say, restMs = 5_000 }: { say: (sentence: string) => void; restMs?: number },
): Promise<void> {
  const isInTheWay = (error: unknown): boolean =>
    error instanceof PartitionsError && error.errors.every(isLocked);
  const policy = {
    waitsMs: waits(restMs, 11),
    isWorthIt: isInTheWay,
    onRetry: (error: unknown) => say(`${(error as Error).message}. This is tried again.`),
  };
  try {
    await retry(policy, () => ensurePartitions(db, now));
  } catch (error) {
    if (!isInTheWay(error)) throw error;
    say(`${(error as Error).message}. The schedule of partitions goes on with it.`);
  }
}

interface Step {
  table: string;
  /** Gives how many partitions it made or dropped. */
  take: () => Promise<number>;
}

/** A step that fails keeps none of the others; in the end it is thrown. */
async function takeAll(steps: readonly Step[], signal?: AbortSignal): Promise<number> {
  let done = 0;
  const failed: { table: string; error: unknown }[] = [];
  for (const { table, take } of steps) {
    try {
      if (signal?.aborted) throw new Error('not begun, for the process stops');
      done += await take();
    } catch (error) {
      failed.push({ table, error });
    }
  }
  if (failed.length > 0) throw new PartitionsError(failed);
  return done;
}

function stepsToMake(db: Db, now: Date): Step[] {
  return partitionRules.map(({ table }) => ({
    table,
    take: () => ensurePartitionsOf(db, table, now),
  }));
}

function stepsToDrop(db: Db, keeping: Keeping): Step[] {
  return partitionRules.flatMap((rule) => {
    const { table } = rule;
    const before = partsKeptSince(rule, keeping);
    if (before === undefined) return [];
    const drop = 'SELECT drop_partitions($1, $2) AS count';
    return [
      { table, take: () => deleteStrays(db, table, before) },
      { table, take: () => inShortLock(db, drop, [table, before]) },
    ];
  });
}

/** Makes one table's partitions. Each has a transaction and a lock of its own; today's is last, for it may have rows to move. */
export async function ensurePartitionsOf(db: Db, table: string, now: Date): Promise<number> {
  let made = 0;
  for (const rule of partitionRules.filter((one) => one.table === table)) {
    for (let place = rule.ahead - 1; place >= 0; place -= 1) {
      made += await makeOne(db, rule, startOfPart(rule.step, now, place));
    }
  }
  return made;
}

function makeOne(db: Db, { table, key, step }: PartitionRule, moment: Date): Promise<number> {
  // Clicks are cut by their time, and have their own function.
  return table === 'clicks'
    ? inShortLock(db, 'SELECT ensure_click_partitions($1, 1) AS count', [moment])
    : inShortLock(db, 'SELECT ensure_partitions($1, $2, $3, $4, 1) AS count', [
        table,
        key,
        step,
        moment,
      ]);
}

/**
 * What lies in the default partition, such as by a moved clock, and is past its time: some of it at a
 * time, and never with a drop, for which all traffic of the table waits. What is left has later runs.
 */
async function deleteStrays(db: Db, table: string, before: Date): Promise<number> {
  const until = performance.now() + sliceMs;
  for (;;) {
    const statement = 'SELECT delete_strays($1, $2, $3) AS count';
    const deleted = await inShortLock(db, statement, [table, before, rowsAtOnce]);
    if (deleted < rowsAtOnce || performance.now() > until) return 0;
  }
}

async function inShortLock(db: Db, statement: string, params: unknown[]): Promise<number> {
  return transaction(db, async (tx) => {
    await execute(tx, `SET LOCAL lock_timeout = '${lockTimeout}'`);
    const row = await queryOne<{ count: number }>(tx, statement, params);
    return row?.count ?? 0;
  });
}
