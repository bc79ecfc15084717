import { firstIdAt } from '../../entities/ids';
import {
  findCommissions,
  recordColumns,
  recordJoins,
  type CommissionRecord,
} from '../../activities/commissions/records';
import {
  foundIn,
  offsetOf,
  type Found,
  type Placed,
  type Window,
} from '../../entities/database/list';
import { query, type Db } from '../../entities/database/sql';
import type { CommissionListQuery } from './commission-filter.dto';
import { withSearched } from './commission-scope.queries';
import {
  isCounted,
  isScoped,
  type CommissionSelection,
  type Condition,
  type ScopedSelection,
} from './commission-selection';
import { fewStatement, sliceStatement, type BoundedSlice, type Slice } from './commission-slices';
import { countCommissions, dayOfOffset } from './commission-stats.queries';

type ListWindow = Pick<CommissionListQuery, 'sortBy' | 'sortOrder'> & Window;

/** A window of the selection: ids by index alone, then the records of those. */
export async function listCommissions(
  db: Db,
  given: CommissionSelection,
  window: ListWindow,
): Promise<Found<CommissionRecord>> {
  if (given.programIds.length === 0) return foundIn([], window, 0);
  const selection = await withSearched(db, given);
  const total = await countCommissions(db, selection);
  const placed = await placesOf(db, selection, { ...window, total });
  const { rows: shown, ...found } = foundIn<{ id: string }>(placed, window, total);
  const ids = shown.map(({ id }) => id);
  const records = isScoped(selection)
    ? await findCommissions(db, { scope: selection.scope, commissionIds: ids })
    : await findOwn(db, selection, ids);
  const byId = new Map(records.map((record) => [record.id, record]));
  return { rows: ids.flatMap((id) => byId.get(id) ?? []), ...found };
}

/** A partner's own, whichever workspaces their programmes belong to. */
function findOwn(
  db: Db,
  { participantIds = [] }: CommissionSelection,
  commissionIds: readonly string[],
): Promise<CommissionRecord[]> {
  return query<CommissionRecord>(
    db,
    `SELECT ${recordColumns} FROM commissions AS c ${recordJoins}
      WHERE c.id = ANY($1) AND c.participant_id = ANY($2)`,
    [commissionIds, participantIds],
  );
}

/** Up to this many matching rows are found first and sorted afterwards. */
const fewRows = 5_000;

/** A walk along the order could pass almost every row to find those that match. */
function isSparse({ filter, participantIds }: CommissionSelection): boolean {
  const { search, participantId, groupId, currency, payoutId } = filter;
  return [search, participantId, groupId, currency, payoutId, participantIds].some(Boolean);
}

/** Skipping is what costs: from here on it is worth a look for a shorter way. */
const longSkip = 2_000;

type PlacedId = Placed<{ id: string }>;

/** The places of the window's rows, and of one more when there are more. */
async function placesOf(
  db: Db,
  selection: CommissionSelection,
  window: ListWindow & { total: number },
): Promise<PlacedId[]> {
  const { sortBy, total, limit, after } = window;
  const offset = offsetOf(window);
  if (offset >= total) return [];
  const direction = window.sortOrder === 'asc' ? 'ASC' : 'DESC';
  const slice: Slice = { sortBy, direction, offset, limit: limit + 1, after };
  if (total <= fewRows && isSparse(selection)) return idsOf(db, fewStatement(selection, slice));
  if (offset < longSkip) return idsOf(db, sliceStatement(selection, slice));
  return farPlaces(db, selection, { ...slice, total });
}

/**
 * The places of a window far from the start: whole days are skipped by their counts, else the list
 * is walked from the nearer end.
 */
async function farPlaces(
  db: Db,
  selection: CommissionSelection,
  { total, ...slice }: Slice & { total: number },
): Promise<PlacedId[]> {
  if (slice.sortBy === 'createdAt' && isCounted(selection)) {
    return idsOf(db, sliceStatement(selection, await skipDays(db, selection, slice)));
  }
  if (slice.offset < total / 2) return idsOf(db, sliceStatement(selection, slice));
  return (await idsOf(db, sliceStatement(selection, mirrorOf(slice, total)))).reverse();
}

/** The same rows, counted from the end. */
function mirrorOf(slice: Slice, total: number): Slice {
  const limit = Math.min(slice.limit, total - slice.offset);
  const direction = slice.direction === 'ASC' ? 'DESC' : 'ASC';
  return { ...slice, direction, offset: total - slice.offset - limit, limit };
}

function idsOf(db: Db, { text, params }: Condition): Promise<PlacedId[]> {
  return query<PlacedId>(db, text, params);
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
