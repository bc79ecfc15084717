import { firstIdAt } from '../../entities/ids';
import { findCommissions, recordColumns, recordJoins } from '../../activities/commissions/records';
import type { CommissionRecord } from '../../activities/commissions/records';
import { query } from '../../entities/database/sql';
import type { Db } from '../../entities/database/sql';
import type { CommissionSortKey } from './commission-filter.dto';
import { isCounted } from './commission-selection';
import { withSearched } from './commission-scope.queries';
import type { CommissionSelection, Condition, ScopedSelection } from './commission-selection';
import { fewStatement, sliceStatement } from './commission-slices';
import type { BoundedSlice, Slice } from './commission-slices';
import { countCommissions, countRows, dayOfOffset } from './commission-stats.queries';

export interface ListWindow {
  sortBy: CommissionSortKey;
  sortOrder: 'asc' | 'desc';
  page: number;
  limit: number;
}

export interface CommissionPage {
  rows: CommissionRecord[];
  total: number;
}

/** A page of the selection: ids by index alone, then the records of that page. */
export async function listCommissions(
  db: Db,
  given: ScopedSelection,
  window: ListWindow,
): Promise<CommissionPage> {
  if (given.programIds.length === 0) return { rows: [], total: 0 };
  const selection = await withSearched(db, given);
  const total = await countCommissions(db, selection);
  const ids = await pageOfIds(db, selection, { ...window, total });
  const records = await findCommissions(db, { scope: selection.scope, commissionIds: ids });
  return { rows: inOrder(ids, records), total };
}

/** A page of a partner's own commissions, whichever workspaces their programmes belong to. */
export async function listPartnerCommissions(
  db: Db,
  selection: CommissionSelection,
  window: ListWindow,
): Promise<CommissionPage> {
  if (selection.programIds.length === 0) return { rows: [], total: 0 };
  const total = await countRows(db, selection);
  const ids = await pageOfIds(db, selection, { ...window, total });
  const records = await query<CommissionRecord>(
    db,
    `SELECT ${recordColumns} FROM commissions AS c ${recordJoins}
      WHERE c.id = ANY($1) AND c.participant_id = ANY($2)`,
    [ids, selection.participantIds ?? []],
  );
  return { rows: inOrder(ids, records), total };
}

function inOrder(ids: readonly string[], records: readonly CommissionRecord[]): CommissionRecord[] {
  const byId = new Map(records.map((record) => [record.id, record]));
  return ids.flatMap((id) => byId.get(id) ?? []);
}

/** So few rows are found first and sorted then. */
const fewRows = 5_000;

/** A walk along the order could pass almost every row to find those that match. */
function isSparse({ filter, participantIds }: CommissionSelection): boolean {
  const { search, participantId, currency, payoutId } = filter;
  return [search, participantId, currency, payoutId, participantIds].some(Boolean);
}

/** Skipping is what costs: from here on it is worth a look for a shorter way. */
const longSkip = 2_000;

async function pageOfIds(
  db: Db,
  selection: CommissionSelection,
  window: ListWindow & { total: number },
): Promise<string[]> {
  const { sortBy, total, limit } = window;
  const offset = (window.page - 1) * limit;
  if (offset >= total) return [];
  const direction = window.sortOrder === 'asc' ? 'ASC' : 'DESC';
  const slice: Slice = { sortBy, direction, offset, limit };
  if (total <= fewRows && isSparse(selection)) return idsOf(db, fewStatement(selection, slice));
  if (offset < longSkip) return sliceOfIds(db, selection, slice);
  return farIds(db, selection, { ...slice, total });
}

/** Ids that are far from the start: past days that are counted, or walked to from the nearer end. */
async function farIds(
  db: Db,
  selection: CommissionSelection,
  { total, ...slice }: Slice & { total: number },
): Promise<string[]> {
  if (slice.sortBy === 'createdAt' && isScoped(selection) && isCounted(selection)) {
    return sliceOfIds(db, selection, await skipDays(db, selection, slice));
  }
  if (slice.offset < total / 2) return sliceOfIds(db, selection, slice);
  return (await sliceOfIds(db, selection, mirrorOf(slice, total))).reverse();
}

/** The same rows, counted from the end. */
function mirrorOf(slice: Slice, total: number): Slice {
  const limit = Math.min(slice.limit, total - slice.offset);
  const direction = slice.direction === 'ASC' ? 'DESC' : 'ASC';
  return { ...slice, direction, offset: total - slice.offset - limit, limit };
}

function isScoped(selection: CommissionSelection): selection is ScopedSelection {
  return 'scope' in selection;
}

function sliceOfIds(
  db: Db,
  selection: CommissionSelection,
  slice: BoundedSlice,
): Promise<string[]> {
  return idsOf(db, sliceStatement(selection, slice));
}

async function idsOf(db: Db, { text, params }: Condition): Promise<string[]> {
  const rows = await query<{ id: string }>(db, text, params);
  return rows.map((row) => row.id);
}

/** Whole days are skipped by their counters; only what is left of the offset is walked over. */
async function skipDays(db: Db, selection: ScopedSelection, slice: Slice): Promise<BoundedSlice> {
  const place = await dayOfOffset(db, selection, slice);
  if (!place) return slice;
  const from =
    slice.direction === 'ASC'
      ? { comparison: '>=' as const, id: firstIdAt(place.starts) }
      : { comparison: '<' as const, id: firstIdAt(place.ends) };
  return { ...slice, offset: slice.offset - place.before, from };
}
