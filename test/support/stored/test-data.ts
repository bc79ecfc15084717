import { newId } from '../../../entities/ids';
import { runResetSlice, type ResetProgress } from '../../../activities/test-data/run-reset';
import { clearingSteps, closingSteps, tablesOf } from '../../../activities/test-data/tables';
import { execute, query, type Db } from '../../../entities/database/sql';
import type { TestDeps } from '../app';

/** A reset as a request leaves it before its workflow begins. */
export async function queueReset(deps: TestDeps, workspaceId: string): Promise<string> {
  const id = newId();
  await execute(
    deps.db.manager,
    `INSERT INTO test_data_resets (id, workspace_id, status, created_at, touched_at)
     VALUES ($1, $2, 'queued', $3, $3)`,
    [id, workspaceId, deps.clock.now()],
  );
  return id;
}

/** Turn after turn, as the workflow does. */
export async function runReset(deps: TestDeps, workspaceId: string): Promise<ResetProgress> {
  for (;;) {
    const progress = await runResetSlice(deps, workspaceId);
    if (progress.status !== 'running') return progress;
  }
}

const scoped = async (db: Db): Promise<string[]> => {
  const rows = await query<{ name: string }>(
    db,
    `SELECT c.relname AS name FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid
      WHERE c.relnamespace = 'public'::regnamespace AND c.relkind IN ('r', 'p')
        AND NOT c.relispartition AND a.attname IN ('workspace_id', 'mode')
      GROUP BY c.relname HAVING count(*) = 2 ORDER BY 1`,
  );
  return rows.map(({ name }) => name);
};

/** How many rows of a workspace and mode the tables that a reset deletes from hold. */
export async function rowCounts(
  db: Db,
  scope: { workspaceId: string; mode: string },
): Promise<Record<string, number>> {
  const deleted = tablesOf([...closingSteps, ...clearingSteps]);
  const counts: Record<string, number> = {};
  for (const name of await scoped(db)) {
    if (!deleted.includes(name)) continue;
    const [row] = await query<{ count: number }>(
      db,
      `SELECT count(*) AS count FROM ${name} WHERE workspace_id = $1 AND mode = $2`,
      [scope.workspaceId, scope.mode],
    );
    if (row && row.count > 0) counts[name] = row.count;
  }
  return counts;
}

/** Changes when a row of the workspace changes, in this mode or in tables that have none. */
export async function fingerprintOf(
  db: Db,
  scope: { workspaceId: string; mode: string },
): Promise<string> {
  const lines: string[] = [];
  for (const name of await scoped(db)) {
    const [row] = await query<{ digest: string | null }>(
      db,
      `SELECT md5(string_agg(t::text, '|' ORDER BY t::text)) AS digest FROM ${name} t
        WHERE workspace_id = $1 AND mode = $2`,
      [scope.workspaceId, scope.mode],
    );
    lines.push(`${name} ${row?.digest ?? ''}`);
  }
  return lines.join('\n');
}

/** Rows that refer to what is not there, by what refers to what. */
export async function danglingRows(db: Db): Promise<Record<string, number>> {
  const found: Record<string, number> = {};
  for (const [child, column, parent] of references) {
    const [row] = await query<{ count: number }>(
      db,
      `SELECT count(*) AS count FROM ${child} AS c WHERE c.${column} IS NOT NULL
          AND NOT EXISTS (SELECT 1 FROM ${parent} AS p WHERE p.id = c.${column})`,
    );
    if (row && row.count > 0) found[`${child}.${column}`] = row.count;
  }
  return found;
}

/** What no foreign key looks after. */
const references = [
  ['clicks', 'participant_id', 'participants'],
  ['clicks', 'link_id', 'tracking_links'],
  ['clicks', 'program_id', 'programs'],
  ['conversions', 'participant_id', 'participants'],
  ['conversions', 'program_id', 'programs'],
  ['conversion_aliases', 'conversion_id', 'conversions'],
  ['attribution_decisions', 'conversion_id', 'conversions'],
  ['customers', 'participant_id', 'participants'],
  ['customers', 'program_id', 'programs'],
  ['fraud_flags', 'conversion_id', 'conversions'],
  ['commissions', 'conversion_id', 'conversions'],
  ['commissions', 'participant_id', 'participants'],
  ['commissions', 'program_id', 'programs'],
  ['commissions', 'payout_id', 'payouts'],
  ['commission_history', 'commission_id', 'commissions'],
  ['ledger_entries', 'commission_id', 'commissions'],
  ['payout_lines', 'commission_id', 'commissions'],
  ['promo_codes', 'program_id', 'programs'],
  ['tracking_links', 'program_id', 'programs'],
  ['former_terms', 'program_id', 'programs'],
  ['former_statuses', 'program_id', 'programs'],
  ['program_fraud_rules', 'program_id', 'programs'],
  ['program_groups', 'program_id', 'programs'],
  ['group_memberships', 'participant_id', 'participants'],
  ['webhook_deliveries', 'event_id', 'events'],
  ['webhook_attempts', 'delivery_id', 'webhook_deliveries'],
  ['analytics_facts', 'program_id', 'programs'],
  ['analytics_rollups', 'program_id', 'programs'],
  ['analytics_totals', 'program_id', 'programs'],
  ['commission_day_counts', 'program_id', 'programs'],
  ['commission_count_deltas', 'program_id', 'programs'],
] as const;
