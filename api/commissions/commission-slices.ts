import type { CommissionSortKey } from './commission-filter.dto';
import { conditionOf, type CommissionSelection, type Condition } from './commission-selection';

export interface Slice {
  sortBy: CommissionSortKey;
  direction: 'ASC' | 'DESC';
  offset: number;
  limit: number;
}

export interface BoundedSlice extends Slice {
  /** Where the walk begins, before or after these ids, with the offset counted from there. */
  from?: { comparison: '>=' | '<'; id: string };
}

/** Each is followed by the id, in one index with the programme before it. */
const sortColumns: Record<Exclude<CommissionSortKey, 'createdAt' | 'partnerName'>, string> = {
  amountCents: 'c.amount_cents',
  status: 'c.status',
  commissionType: 'c.commission_type',
  needsReview: 'c.needs_review',
};

export function sliceStatement(selection: CommissionSelection, slice: BoundedSlice): Condition {
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
): Condition {
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

/** Materialised, or the planner would take the walk: it expects more to match than does. */
export function fewStatement(selection: CommissionSelection, slice: Slice): Condition {
  const { sortBy, direction, offset, limit } = slice;
  const { text, params } = conditionOf(selection);
  const key = sortBy === 'createdAt' || sortBy === 'partnerName' ? 'c.id' : sortColumns[sortBy];
  const order = sortBy === 'partnerName' ? 'p.partner_name' : 'found.key';
  return {
    text: `WITH found AS MATERIALIZED (
       SELECT c.id, c.participant_id, ${key} AS key FROM commissions AS c WHERE ${text})
     SELECT found.id FROM found JOIN participants AS p ON p.id = found.participant_id
      ORDER BY ${order} ${direction}, found.id ${direction} LIMIT ${limit} OFFSET ${offset}`,
    params,
  };
}
