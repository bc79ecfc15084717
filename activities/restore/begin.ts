import { execute, queryOne, transaction, type Db, type Tx } from '../../entities/database/sql';
import type { Cause } from '../journal/cause';
import { record } from '../journal/record';

/** More than any installation writes between a backup and its restore. */
export const numbersSkipped = 1_000_000;

export interface Begun {
  /** When this restore was first noted: what is newer belongs to the time after it. */
  notedAt: Date;
  /** False when an earlier run has noted it, and moved the numbers on. */
  isNew: boolean;
}

/**
 * Notes a restore of this database to a moment, which stops payouts, and moves all numbers on that
 * receivers may have seen. In one transaction, so that a further run finds both done or neither.
 */
export function beginRestore(db: Db, cause: Cause, restoredTo: Date): Promise<Begun> {
  return transaction(db, async (tx) => {
    const added = await execute(
      tx,
      `INSERT INTO restores (restored_to, noted_at) VALUES ($1, $2)
       ON CONFLICT (restored_to) DO NOTHING`,
      [restoredTo, cause.now],
    );
    if (added === 0) return { notedAt: await notedAt(tx, restoredTo), isNew: false };
    await moveNumbersOn(tx);
    const target = { type: 'restore', id: restoredTo.toISOString() };
    await record(tx, cause, { audit: { action: 'restore.begun', target } });
    return { notedAt: cause.now, isNew: true };
  });
}

async function notedAt(tx: Tx, restoredTo: Date): Promise<Date> {
  const row = await queryOne<{ notedAt: Date }>(
    tx,
    'SELECT noted_at AS "notedAt" FROM restores WHERE restored_to = $1',
    [restoredTo],
  );
  if (!row) throw new Error('the restore that was there is gone');
  return row.notedAt;
}

/** Moves the numbers on by nextval: setval is for the owner of the schema alone. */
async function moveNumbersOn(tx: Tx): Promise<void> {
  await queryOne(tx, `SELECT max(nextval('events_seq')) AS seq FROM generate_series(1, $1::int)`, [
    numbersSkipped,
  ]);
  await execute(tx, 'UPDATE notification_feeds SET version = version + $1', [numbersSkipped]);
}
