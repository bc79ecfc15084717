import { MailCount } from '../../entities/tables/mail/mail-count.entity';
import { insertAll } from '../../entities/database/insert-all';
import { execute, queryOne, type Tx } from '../../entities/database/sql';

/** Something that mails are counted for, and how many it takes in a window that moves with time. */
export interface Bound {
  counter: string;
  windowMs: number;
  max: number;
}

/**
 * Counts a mail on every bound when each has room, else on none. Asking again for the same mail
 * returns the same answer. Counters are locked until the transaction ends, in one order.
 */
export async function admit(
  tx: Tx,
  mail: { mailId: string; now: Date },
  bounds: readonly Bound[],
): Promise<boolean> {
  const ordered = [...bounds].sort((a, b) => (a.counter < b.counter ? -1 : 1));
  for (const { counter } of ordered) await lockCounter(tx, counter);
  for (const bound of ordered) {
    const { counted, seen } = await readCounter(tx, bound, mail);
    if (seen) return true;
    if (counted >= bound.max) return false;
  }
  for (const { counter } of ordered) await count(tx, counter, mail);
  return true;
}

export async function lockCounter(tx: Tx, counter: string): Promise<void> {
  await execute(tx, 'SELECT pg_advisory_xact_lock(hashtextextended($1, 0))', [counter]);
}

/** How many of a window are counted, at most as many as matter, and whether this mail is one. */
export async function readCounter(
  tx: Tx,
  { counter, windowMs, max }: Bound,
  { mailId, now }: { mailId: string; now: Date },
): Promise<{ counted: number; seen: boolean }> {
  const row = await queryOne<{ counted: number; seen: boolean }>(
    tx,
    `SELECT (SELECT count(*)::int FROM (SELECT 1 FROM mail_counts
               WHERE counter = $1 AND counted_at > $3 LIMIT $4) AS latest) AS counted,
            EXISTS (SELECT 1 FROM mail_counts WHERE counter = $1 AND mail_id = $2) AS seen`,
    [counter, mailId, new Date(now.getTime() - windowMs), max],
  );
  return row ?? { counted: 0, seen: false };
}

export async function count(
  tx: Tx,
  counter: string,
  { mailId, now }: { mailId: string; now: Date },
): Promise<void> {
  await insertAll(tx, {
    into: MailCount,
    rows: [{ counter, mailId, countedAt: now }],
    onConflict: 'ON CONFLICT ON CONSTRAINT pk_mail_counts DO NOTHING',
  });
}
