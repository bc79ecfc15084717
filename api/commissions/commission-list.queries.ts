import { findCommissions, recordColumns, recordJoins } from '../../activities/commission-records';
import type { CommissionRecord } from '../../activities/commission-records';
import { query } from '../../entities/sql';
import type { Db } from '../../entities/sql';
import type { CommissionSortKey } from './commission-filter.dto';
import { conditionOf } from './commission-selection';
import { withSearchedNames } from './commission-scope.queries';
import type { CommissionSelection, ScopedSelection } from './commission-selection';
import { countCommissions, countRows } from './commission-stats.queries';

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

/** Skipping is what costs, so a page of the second half is counted from the end. */
const longSkip = 5_000;

async function pageOfIds(
  db: Db,
  selection: CommissionSelection,
  window: ListWindow & { total: number },
): Promise<string[]> {
  const { total, limit } = window;
  const offset = (window.page - 1) * limit;
  if (offset >= total) return [];
  const isAscending = window.sortOrder === 'asc';
  if (offset < longSkip || offset < total / 2) {
    const slice = { offset, limit, direction: isAscending ? 'ASC' : 'DESC' };
    return sliceOfIds(db, selection, { sortBy: window.sortBy, ...slice });
  }
  const size = Math.min(limit, total - offset);
  const slice = {
    offset: total - offset - size,
    limit: size,
    direction: isAscending ? 'DESC' : 'ASC',
  };
  const ids = await sliceOfIds(db, selection, { sortBy: window.sortBy, ...slice });
  return ids.reverse();
}

interface Slice {
  sortBy: CommissionSortKey;
  direction: string;
  offset: number;
  limit: number;
}

async function sliceOfIds(db: Db, selection: CommissionSelection, slice: Slice): Promise<string[]> {
  const { text, params } = sliceStatement(selection, slice);
  const rows = await query<{ id: string }>(db, text, params);
  return rows.map((row) => row.id);
}

function sliceStatement(
  selection: CommissionSelection,
  slice: Slice,
): { text: string; params: unknown[] } {
  const { sortBy, direction, offset, limit } = slice;
  if (sortBy === 'partnerName') {
    const { text, params } = conditionOf(selection);
    return {
      text: `SELECT c.id FROM participants AS p JOIN commissions AS c ON c.participant_id = p.id
              WHERE p.program_id = ANY($${params.length + 1}) AND ${text}
              ORDER BY p.partner_name ${direction}, c.id ${direction}
              LIMIT ${limit} OFFSET ${offset}`,
      params: [...params, selection.programIds],
    };
  }
  const key = sortBy === 'createdAt' ? undefined : sortColumns[sortBy];
  const order = `${key ? `${key} ${direction}, ` : ''}c.id ${direction}`;
  if (selection.programIds.length === 1) {
    const { text, params } = conditionOf(selection);
    return {
      text: `SELECT c.id FROM commissions AS c WHERE ${text}
              ORDER BY ${order} LIMIT ${limit} OFFSET ${offset}`,
      params,
    };
  }
  // One index range a programme, merged: an ordered scan cannot serve a list of programmes.
  const { text, params } = conditionOf(selection, 'g.id');
  return {
    text: `SELECT m.id FROM unnest($${params.length + 1}::uuid[]) AS g (id)
             CROSS JOIN LATERAL (SELECT c.id, ${key ?? 'c.id'} AS key FROM commissions AS c
               WHERE ${text} ORDER BY ${order} LIMIT ${offset + limit}) AS m
            ORDER BY ${key ? `m.key ${direction}, ` : ''}m.id ${direction}
            LIMIT ${limit} OFFSET ${offset}`,
    params: [...params, selection.programIds],
  };
}
