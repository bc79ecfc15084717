import type { Scope } from '../../../entities/rules/values/mode';
import { query, type Db } from '../../../entities/database/sql';

/** The rows of a workspace that has no report. */
export const nothing = {
  conversions: 0,
  conversion_aliases: 0,
  attribution_decisions: 0,
  fraud_flags: 0,
  commissions: 0,
  commission_history: 0,
  ledger_entries: 0,
  events: 0,
};

/** Every row of the workspace in the tables that a report writes to. */
export async function rowsOfReports(
  db: Db,
  { workspaceId }: Scope,
): Promise<Record<string, number>> {
  const counts: Record<string, number> = {};
  for (const table of Object.keys(nothing)) {
    const rows = await query<{ total: number }>(
      db,
      `SELECT count(*) AS total FROM ${table} WHERE workspace_id = $1`,
      [workspaceId],
    );
    counts[table] = rows[0]?.total ?? -1;
  }
  return counts;
}
