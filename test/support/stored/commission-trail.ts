import { query } from '../../../entities/database/sql';
import type { Db } from '../../../entities/database/sql';

export interface Trail {
  /** `from>to trigger`, oldest first. */
  history: string[];
  /** `type amount`, oldest first. */
  ledger: string[];
  /** Sum of the ledger. */
  owed: number;
  /** Kinds, oldest first. */
  events: string[];
}

/** All that is written about a commission beside its row. */
export async function trailOf(db: Db, commissionId: string): Promise<Trail> {
  const history = await query<{ line: string }>(
    db,
    `SELECT coalesce(from_status, '') || '>' || to_status || ' ' || trigger AS line
       FROM commission_history WHERE commission_id = $1 ORDER BY at, id`,
    [commissionId],
  );
  const ledger = await query<{ type: string; cents: number }>(
    db,
    `SELECT type, amount_cents AS cents FROM ledger_entries WHERE commission_id = $1
      ORDER BY created_at, id`,
    [commissionId],
  );
  const events = await query<{ type: string }>(
    db,
    'SELECT type FROM events WHERE object_id = $1 ORDER BY seq',
    [commissionId],
  );
  return {
    history: history.map((row) => row.line),
    ledger: ledger.map((row) => `${row.type} ${row.cents}`),
    owed: ledger.reduce((sum, row) => sum + row.cents, 0),
    events: events.map((row) => row.type),
  };
}
