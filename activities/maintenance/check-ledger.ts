import { execute, query, type Db } from '../../entities/database/sql';
import type { Deps } from '../../runtime/process/deps';

const checkedAtOnce = 2_000;

export interface CheckedLedger {
  /** Where the next batch goes on; null at the end of the table. */
  after: string | null;
  /** Commissions whose owed sum is not that of their ledger. */
  wrong: number;
}

/** One batch: what commissions say is owed, against the sum of their entries, in one snapshot. */
export async function checkLedger(
  { db, log }: Pick<Deps, 'db' | 'log'>,
  { after }: { after: string | null },
): Promise<CheckedLedger> {
  const rows = await query<{ id: string; isRight: boolean }>(
    db.manager,
    `SELECT c.id, c.owed_cents = (SELECT coalesce(sum(l.amount_cents), 0) FROM ledger_entries AS l
                                   WHERE l.commission_id = c.id) AS "isRight"
       FROM (SELECT id, owed_cents FROM commissions WHERE $1::uuid IS NULL OR id > $1
              ORDER BY id LIMIT ${checkedAtOnce}) AS c
      ORDER BY c.id`,
    [after],
  );
  const wrong = rows.filter(({ isRight }) => !isRight).map(({ id }) => id);
  const right = rows.filter(({ isRight }) => isRight).map(({ id }) => id);
  await note(db.manager, { wrong, right });
  if (wrong.length > 0)
    log.error({ commissions: wrong.slice(0, 20) }, 'the ledger does not add up');
  const last = rows.length < checkedAtOnce ? null : (rows.at(-1)?.id ?? null);
  return { after: last, wrong: wrong.length };
}

/** What is wrong is known until it is found right, whichever process found it. */
async function note(db: Db, { wrong, right }: { wrong: string[]; right: string[] }): Promise<void> {
  await execute(db, 'DELETE FROM ledger_mismatches WHERE commission_id = ANY($1)', [right]);
  await execute(
    db,
    `INSERT INTO ledger_mismatches (commission_id, found_at)
       SELECT id, now() FROM unnest($1::uuid[]) AS id
     ON CONFLICT (commission_id) DO NOTHING`,
    [wrong],
  );
}
