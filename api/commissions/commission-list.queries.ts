import { findCommissions, recordColumns, recordJoins } from '../../activities/commission-records';
import type { CommissionRecord } from '../../activities/commission-records';
import { query } from '../../entities/sql';
import type { Db } from '../../entities/sql';
import type { CommissionSortKey } from './commission-filter.dto';
import { conditionOf, firstIdAt, isCounted } from './commission-selection';
import { withSearchedNames } from './commission-scope.queries';
import type { CommissionSelection, ScopedSelection } from './commission-selection';
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
  const selection = await withSearchedNames(db, given);
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

/** Each is followed by the id, in one index with the programme before it. */
const sortColumns: Record<Exclude<CommissionSortKey, 'createdAt' | 'partnerName'>, string> = {
  amountCents: 'c.amount_cents',
  status: 'c.status',
  commissionType: 'c.commission_type',
  needsReview: 'c.needs_review',
};

/** Skipping is what costs: from here on it is worth a look for a shorter way. */
const longSkip = 2_000;

interface Slice {
  sortBy: CommissionSortKey;
  direction: 'ASC' | 'DESC';
  offset: number;
  limit: number;
}

async function pageOfIds(
  db: Db,
  selection: CommissionSelection,
  window: ListWindow & { total: number },
): Promise<string[]> {
  const { sortBy, total, limit } = window;
  const offset = (window.page - 1) * limit;
  if (offset >= total) return [];
  const [there, back] = window.sortOrder === 'asc' ? directions : [...directions].reverse();
  const slice: Slice = { sortBy, direction: there ?? 'DESC', offset, limit };
  if (offset < longSkip) return sliceOfIds(db, selection, slice);
  if (sortBy === 'createdAt' && isScoped(selection) && isCounted(selection)) {
    return sliceOfIds(db, selection, await skipDays(db, selection, slice));
  }
  if (offset < total / 2) return sliceOfIds(db, selection, slice);
  // Nearer to the end: counted from there.
  const size = Math.min(limit, total - offset);
  const mirrored = {
    ...slice,
    direction: back ?? 'ASC',
    offset: total - offset - size,
    limit: size,
  };
  return (await sliceOfIds(db, selection, mirrored)).reverse();
}

const directions: Slice['direction'][] = ['ASC', 'DESC'];

function isScoped(selection: CommissionSelection): selection is ScopedSelection {
  return 'scope' in selection;
}

interface BoundedSlice extends Slice {
  /** Where the walk begins, before or after these ids, with the offset counted from there. */
  from?: { comparison: '>=' | '<'; id: string };
}

async function sliceOfIds(
  db: Db,
  selection: CommissionSelection,
  slice: BoundedSlice,
): Promise<string[]> {
  const { text, params } = sliceStatement(selection, slice);
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

function sliceStatement(
  selection: CommissionSelection,
  slice: BoundedSlice,
): { text: string; params: unknown[] } {
  const { sortBy, direction, offset, limit, from } = slice;
  if (sortBy === 'partnerName') return sliceByName(selection, slice);
  const key = sortBy === 'createdAt' ? undefined : sortColumns[sortBy];
  const order = `${key ? `${key} ${direction}, ` : ''}c.id ${direction}`;
  const bound = from ? ` AND c.id ${from.comparison} '${from.id}'::uuid` : '';
  if (selection.programIds.length === 1) {
    const { text, params } = conditionOf(selection);
    return {
      text: `SELECT c.id FROM commissions AS c WHERE ${text}${bound}
              ORDER BY ${order} LIMIT ${limit} OFFSET ${offset}`,
      params,
    };
  }
  // One index range a programme, merged: an ordered scan cannot serve a list of programmes.
  const { text, params } = conditionOf(selection, 'g.id');
  return {
    text: `SELECT m.id FROM unnest($${params.length + 1}::uuid[]) AS g (id)
             CROSS JOIN LATERAL (SELECT c.id, ${key ?? 'c.id'} AS key FROM commissions AS c
               WHERE ${text}${bound} ORDER BY ${order} LIMIT ${offset + limit}) AS m
            ORDER BY ${key ? `m.key ${direction}, ` : ''}m.id ${direction}
            LIMIT ${limit} OFFSET ${offset}`,
    params: [...params, selection.programIds],
  };
}

/** Partners in the order of their names, and each one's commissions by the partner's own index. */
function sliceByName(
  selection: CommissionSelection,
  { direction, offset, limit }: Slice,
): { text: string; params: unknown[] } {
  const { text, params } = conditionOf(selection, 'p.program_id');
  return {
    text: `SELECT m.id FROM (
             SELECT id, program_id, partner_name FROM participants
              WHERE program_id = ANY($${params.length + 1}) ORDER BY partner_name ${direction}) AS p
             CROSS JOIN LATERAL (SELECT c.id FROM commissions AS c
               WHERE c.participant_id = p.id AND ${text}
               ORDER BY c.id ${direction} LIMIT ${offset + limit}) AS m
            ORDER BY p.partner_name ${direction}, m.id ${direction} LIMIT ${limit} OFFSET ${offset}`,
    params: [...params, selection.programIds],
  };
}
