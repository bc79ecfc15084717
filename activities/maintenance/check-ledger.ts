import { execute, query, queryOne, transaction, type Tx } from '../../entities/database/sql';
import type { Deps } from '../../runtime/process/deps';

const checkedAtOnce = 2_000;
/** No id comes before it. */
const beforeAll = '00000000-0000-0000-0000-000000000000';
/** Entries have the time at which their transaction began: the last ones may not be there yet. */
const settledAfter = `interval '10 minutes'`;

export interface CheckedLedger {
  /** Where the next batch goes on; null at the end. */
  after: string | null;
  /** Commissions whose owed sum is not that of their ledger. */
  wrong: number;
}

/**
 * One batch of a night: what commissions say is owed, against the sum of their entries, in one
 * snapshot. First those that were wrong, then those with entries since the last check, then a thirtieth of
 * all others. How far that came is written with what it found, so that a repeated batch goes on.
 */
export async function checkLedger(
  { db, log }: Pick<Deps, 'db' | 'log'>,
  { after, share = 30 }: { after: string | null; share?: number },
): Promise<CheckedLedger> {
  const { next, wrong } = await transaction(db, async (tx) => {
    const { ids, next } = await steps[stepOf(after)](tx, { after, share });
    return { next, wrong: await compare(tx, ids) };
  });
  if (wrong.length > 0) {
    log.error({ commissions: wrong.slice(0, 20) }, 'the ledger does not add up');
  }
  return { after: next, wrong: wrong.length };
}

type Step = 'known' | 'changed' | 'rest';

/** A place is the name of its step, and of the rest how many batches were done tonight. */
function stepOf(after: string | null): Step {
  if (after === null) return 'known';
  return after === 'changed' ? 'changed' : 'rest';
}

interface Batch {
  ids: string[];
  next: string | null;
}

const steps: Record<
  Step,
  (tx: Tx, place: { after: string | null; share: number }) => Promise<Batch>
> = { known, changed, rest };

async function known(tx: Tx): Promise<Batch> {
  const rows = await query<{ id: string }>(
    tx,
    `SELECT commission_id AS id FROM ledger_mismatches ORDER BY found_at LIMIT ${checkedAtOnce}`,
  );
  return { ids: rows.map(({ id }) => id), next: 'changed' };
}

/**
 * Commissions with new entries, in the order of the entries, from the last one that a check has
 * seen. The place is a value: joined, it would be a filter over an index that is read from its
 * first row on.
 */
async function changed(tx: Tx): Promise<Batch> {
  const rows = await query<{ id: string; commissionId: string; createdAt: Date }>(
    tx,
    `SELECT l.id, l.commission_id AS "commissionId", l.created_at AS "createdAt"
       FROM ledger_entries AS l
      WHERE (l.created_at, l.id) > ((SELECT changed_at FROM ledger_checks),
                                    (SELECT changed_id FROM ledger_checks))
        AND l.created_at < now() - ${settledAfter}
      ORDER BY l.created_at, l.id LIMIT ${checkedAtOnce}`,
  );
  const last = rows.at(-1);
  if (last) {
    // The place by the row itself: a time of JavaScript's has no microseconds.
    await execute(
      tx,
      `UPDATE ledger_checks SET changed_at = l.created_at, changed_id = l.id FROM ledger_entries AS l
        WHERE l.commission_id = $1 AND l.id = $2`,
      [last.commissionId, last.id],
    );
  }
  const ids = [...new Set(rows.map(({ commissionId }) => commissionId))];
  return { ids, next: rows.length < checkedAtOnce ? 'rest:0' : 'changed' };
}

/**
 * Further commissions by their ids, from where the night before ended; at the end of the table the
 * next night begins again.
 */
async function rest(
  tx: Tx,
  { after, share }: { after: string | null; share: number },
): Promise<Batch> {
  const rows = await query<{ id: string }>(
    tx,
    `SELECT m.id FROM commissions AS m
      WHERE m.id > coalesce((SELECT rest_after FROM ledger_checks), '${beforeAll}')
      ORDER BY m.id LIMIT ${checkedAtOnce}`,
  );
  const end = rows.length < checkedAtOnce ? null : (rows.at(-1)?.id ?? null);
  await execute(tx, 'UPDATE ledger_checks SET rest_after = $1', [end]);
  const done = Number(after?.split(':')[1] ?? 0) + 1;
  const isOver = end === null || done >= (await batchesOfNight(tx, share));
  return { ids: rows.map(({ id }) => id), next: isOver ? null : `rest:${done}` };
}

/** Batches by the planner's estimate of rows: counting a hundred million would be the whole work of a night. */
async function batchesOfNight(tx: Tx, share: number): Promise<number> {
  const row = await queryOne<{ rows: number }>(
    tx,
    `SELECT greatest(reltuples, 0)::bigint AS rows FROM pg_class WHERE oid = 'commissions'::regclass`,
  );
  return Math.ceil((row?.rows ?? 0) / share / checkedAtOnce);
}

/** What is wrong is known until it is found right or gone, whichever process found it. */
async function compare(tx: Tx, ids: string[]): Promise<string[]> {
  const rows = await query<{ id: string }>(
    tx,
    `SELECT c.id FROM commissions AS c
      WHERE c.id = ANY($1) AND c.owed_cents <> (
        SELECT coalesce(sum(l.amount_cents), 0) FROM ledger_entries AS l WHERE l.commission_id = c.id)
      ORDER BY c.id`,
    [ids],
  );
  const wrong = rows.map(({ id }) => id);
  await execute(
    tx,
    'DELETE FROM ledger_mismatches WHERE commission_id = ANY($1) AND NOT commission_id = ANY($2)',
    [ids, wrong],
  );
  await execute(
    tx,
    `INSERT INTO ledger_mismatches (commission_id, found_at)
       SELECT id, now() FROM unnest($1::uuid[]) AS id
     ON CONFLICT (commission_id) DO NOTHING`,
    [wrong],
  );
  return wrong;
}
