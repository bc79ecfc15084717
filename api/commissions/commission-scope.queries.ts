import type { Scope } from '../../entities/rules/values/mode';
import { literalPattern, query, type Db } from '../../entities/database/sql';
import { isScoped, type CommissionSelection, type ScopedSelection } from './commission-selection';

/** The programmes of the current mode: a list across programmes is a list of each of them. */
export async function programIdsOf(db: Db, scope: Scope): Promise<string[]> {
  const rows = await query<{ id: string }>(
    db,
    'SELECT id FROM programs WHERE workspace_id = $1 AND mode = $2 ORDER BY id',
    [scope.workspaceId, scope.mode],
  );
  return rows.map((row) => row.id);
}

/** A search that matches more conversions than this reads the commissions one by one. */
const maxSearched = 10_000;

/**
 * What a search finds is looked up first: names of partners and ids of transactions have an index in
 * tables that a decision on a commission does not write.
 */
export async function withSearched(
  db: Db,
  selection: CommissionSelection,
): Promise<CommissionSelection> {
  const { search } = selection.filter;
  if (!search || !isScoped(selection)) return selection;
  const [searchedParticipants, conversions, searchedAliases] = await Promise.all([
    idsFound(db, selection, {
      text: `SELECT id FROM participants
              WHERE workspace_id = $1 AND mode = $2 AND program_id = ANY($3)
                AND partner_name ILIKE $4`,
      search,
    }),
    idsFound(db, selection, {
      text: `SELECT id FROM conversions
              WHERE workspace_id = $1 AND mode = $2 AND program_id = ANY($3)
                AND external_transaction_id ILIKE $4 LIMIT ${maxSearched + 1}`,
      search,
    }),
    idsOfAlias(db, selection, search.trim()),
  ]);
  const isTooMany = conversions.length > maxSearched;
  return {
    ...selection,
    searchedParticipants,
    searchedAliases,
    ...(!isTooMany && { searchedConversions: conversions }),
  };
}

/** The conversion that another id of its payment names, whole: one at most. */
async function idsOfAlias(db: Db, { scope }: ScopedSelection, alias: string): Promise<string[]> {
  const rows = await query<{ id: string }>(
    db,
    `SELECT conversion_id AS id FROM conversion_aliases
      WHERE workspace_id = $1 AND mode = $2 AND alias = $3`,
    [scope.workspaceId, scope.mode, alias],
  );
  return rows.map((row) => row.id);
}

async function idsFound(
  db: Db,
  { programIds, scope }: ScopedSelection,
  { text, search }: { text: string; search: string },
): Promise<string[]> {
  const params = [scope.workspaceId, scope.mode, programIds, literalPattern(search)];
  const rows = await query<{ id: string }>(db, text, params);
  return rows.map((row) => row.id);
}
