import {
  followsPlace,
  orderedBy,
  placeOf,
  type Order,
  type Place,
} from '../../entities/database/list';
import type { CommissionSortKey } from './commission-filter.dto';
import { conditionOf, type CommissionSelection, type Condition } from './commission-selection';

export interface Slice {
  sortBy: CommissionSortKey;
  direction: Order['direction'];
  offset: number;
  limit: number;
  /** The place after which the slice begins. */
  after?: Place | undefined;
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

/** Ids and places of a slice. */
export function sliceStatement(selection: CommissionSelection, slice: BoundedSlice): Condition {
  const { sortBy, direction, offset, limit, from } = slice;
  if (sortBy === 'partnerName') return sliceByName(selection, slice);
  const key = sortBy === 'createdAt' ? [] : [sortColumns[sortBy]];
  const order: Order = { by: [...key, 'c.id'], direction };
  const bound = from ? ` AND c.id ${from.comparison} '${from.id}'::uuid` : '';
  const isOfOne = selection.programIds.length === 1;
  const { text, params } = isOfOne ? conditionOf(selection) : conditionOf(selection, 'g.id');
  const follows = followsPlace(order, slice.after ?? [], params.length);
  const where = `${text}${bound} AND ${follows.text}`;
  const known = [...params, ...follows.params];
  if (isOfOne) {
    return {
      text: `SELECT c.id, ${placeOf(order)} AS place FROM commissions AS c WHERE ${where}
              ${orderedBy(order)} LIMIT ${limit} OFFSET ${offset}`,
      params: known,
    };
  }
  // One index range a programme, merged: an ordered scan cannot serve a list of programmes.
  return {
    text: `SELECT m.id, m.place FROM unnest($${known.length + 1}::uuid[]) AS g (id)
             CROSS JOIN LATERAL (
               SELECT c.id, ${key[0] ?? 'c.id'} AS key, ${placeOf(order)} AS place
                 FROM commissions AS c
                WHERE ${where} ${orderedBy(order)} LIMIT ${offset + limit}) AS m
            ORDER BY m.key ${direction}, m.id ${direction} LIMIT ${limit} OFFSET ${offset}`,
    params: [...known, selection.programIds],
  };
}

const lowestId = '00000000-0000-0000-0000-000000000000';
const highestId = 'ffffffff-ffff-ffff-ffff-ffffffffffff';

/** Partners in the order of their names, and each one's commissions by the partner's own index. */
function sliceByName(
  selection: CommissionSelection,
  { direction, offset, limit, after }: Slice,
): Condition {
  const { text, params } = conditionOf(selection, 'p.program_id');
  const [name, id, programs] = [1, 2, 3].map((nth) => `$${params.length + nth}`);
  const [comparison, first] = direction === 'ASC' ? ['>', lowestId] : ['<', highestId];
  // Commissions of partners who have the name of the place follow only behind its id; those of all
  // later names follow whole.
  const follows = `c.id ${comparison}
    CASE WHEN p.partner_name = ${name}::text THEN ${id}::uuid ELSE '${first}' END`;
  return {
    text: `SELECT m.id, ARRAY[p.partner_name, m.id::text] AS place FROM (
             SELECT id, program_id, partner_name FROM participants
              WHERE program_id = ANY(${programs})
                AND (${name}::text IS NULL OR partner_name ${comparison}= ${name}::text)
              ORDER BY partner_name ${direction}) AS p
             CROSS JOIN LATERAL (SELECT c.id FROM commissions AS c
               WHERE c.participant_id = p.id AND ${text} AND ${follows}
               ORDER BY c.id ${direction} LIMIT ${offset + limit}) AS m
            ORDER BY p.partner_name ${direction}, m.id ${direction} LIMIT ${limit} OFFSET ${offset}`,
    params: [...params, after?.[0] ?? null, after?.[1] ?? null, selection.programIds],
  };
}

/** Materialised, or the planner would take the walk: it expects more to match than does. */
export function fewStatement(selection: CommissionSelection, slice: Slice): Condition {
  const { sortBy, direction, offset, limit } = slice;
  const { text, params } = conditionOf(selection);
  const isOfRow = sortBy !== 'createdAt' && sortBy !== 'partnerName';
  const keys = { createdAt: [], partnerName: ['p.partner_name'] };
  const order = { by: [...(isOfRow ? ['found.key'] : keys[sortBy]), 'found.id'], direction };
  const follows = followsPlace(order, slice.after ?? [], params.length);
  return {
    text: `WITH found AS MATERIALIZED (
       SELECT c.id, c.participant_id, ${isOfRow ? sortColumns[sortBy] : 'c.id'} AS key
         FROM commissions AS c WHERE ${text})
     SELECT found.id, ${placeOf(order)} AS place
       FROM found JOIN participants AS p ON p.id = found.participant_id
      WHERE ${follows.text} ${orderedBy(order)} LIMIT ${limit} OFFSET ${offset}`,
    params: [...params, ...follows.params],
  };
}
