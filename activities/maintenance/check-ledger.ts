import { query } from '../../entities/database/sql';
import type { Deps } from '../../runtime/process/deps';
import { counter } from '../../runtime/process/metrics';

const checkedAtOnce = 2_000;

export interface CheckedLedger {
  /** Where the next batch goes on; null at the end of the table. */
  after: string | null;
  /** Commissions whose owed sum is not that of their ledger. */
  wrong: number;
}

/** One batch: what commissions say is owed, against the sum of their entries, in one snapshot. */
export async function checkLedger(
  { db, log, metrics }: Pick<Deps, 'db' | 'log' | 'metrics'>,
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
  const help = 'Commissions whose owed sum is not that of their ledger';
  counter(metrics, { name: 'ledger_mismatches_total', help }).inc(wrong.length);
  if (wrong.length > 0)
    log.error({ commissions: wrong.slice(0, 20) }, 'the ledger does not add up');
  const last = rows.length < checkedAtOnce ? null : (rows.at(-1)?.id ?? null);
  return { after: last, wrong: wrong.length };
}
