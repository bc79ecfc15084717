import type { Scope } from '../../entities/rules/values/mode';
import { literalPattern, query } from '../../entities/database/sql';
import type { Db } from '../../entities/database/sql';
import type { ScopedSelection } from './commission-selection';

/** The programmes of the current mode: a list across programmes is a list of each of them. */
export async function programIdsOf(db: Db, scope: Scope): Promise<string[]> {
  const rows = await query<{ id: string }>(
    db,
    'SELECT id FROM programs WHERE workspace_id = $1 AND mode = $2 ORDER BY id',
    [scope.workspaceId, scope.mode],
  );
  return rows.map((row) => row.id);
}

/** Partner names are looked up first: they are few, and the commissions then have an index. */
export async function withSearchedNames(
  db: Db,
  selection: ScopedSelection,
): Promise<ScopedSelection> {
  const { filter, programIds, scope } = selection;
  if (!filter.search) return selection;
  const rows = await query<{ id: string }>(
    db,
    `SELECT id FROM participants
      WHERE workspace_id = $1 AND mode = $2 AND program_id = ANY($3) AND partner_name ILIKE $4`,
    [scope.workspaceId, scope.mode, programIds, literalPattern(filter.search)],
  );
  return { ...selection, searchedParticipants: rows.map((row) => row.id) };
}
