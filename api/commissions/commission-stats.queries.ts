import type { CommissionStatus } from '../../entities/rules/commissions/status';
import { countFrom, query, queryOne, type Db } from '../../entities/database/sql';
import { withSearched } from './commission-scope.queries';
import {
  conditionOf,
  countedConditionOf,
  isCounted,
  type CommissionSelection,
  type ScopedSelection,
} from './commission-selection';

/** What was folded, and what was appended since. */
const counters = `
  SELECT workspace_id, mode, program_id, day, status, needs_review, currency, commissions,
         amount_cents FROM commission_day_counts
  UNION ALL
  SELECT workspace_id, mode, program_id, day, status, needs_review, currency, commissions,
         amount_cents FROM commission_count_deltas`;

/** How many commissions there are in the selection. */
export async function countCommissions(db: Db, selection: CommissionSelection): Promise<number> {
  if (!isCounted(selection)) {
    const { text, params } = conditionOf(selection);
    return countFrom(db, `commissions AS c WHERE ${text}`, params);
  }
  const { text, params } = countedConditionOf(selection);
  const row = await queryOne<{ total: number }>(
    db,
    `SELECT coalesce(sum(commissions), 0)::bigint AS total FROM (${counters}) AS k WHERE ${text}`,
    params,
  );
  return row?.total ?? 0;
}

export interface DayPlace {
  starts: Date;
  ends: Date;
  /** How many of the selection come before this day, in the direction of the walk. */
  before: number;
}

/** The UTC day in which an offset falls, for a selection that the counters can answer. */
export async function dayOfOffset(
  db: Db,
  selection: ScopedSelection,
  { direction, offset }: { direction: 'ASC' | 'DESC'; offset: number },
): Promise<DayPlace | undefined> {
  const { text, params } = countedConditionOf(selection);
  return queryOne<DayPlace>(
    db,
    `SELECT day::timestamp AT TIME ZONE 'UTC' AS starts,
            (day + 1)::timestamp AT TIME ZONE 'UTC' AS ends, (upto - own)::bigint AS before
       FROM (SELECT day, sum(commissions) AS own,
                    sum(sum(commissions)) OVER (ORDER BY day ${direction}) AS upto
               FROM (${counters}) AS k WHERE ${text} GROUP BY day) AS days
      WHERE upto > $${params.length + 1} AND upto - own <= $${params.length + 1}`,
    [...params, offset],
  );
}

export interface StatsRow {
  status: CommissionStatus;
  currency: string;
  commissions: number;
  needsReview: number;
  amountCents: number;
}

/** Counts and sums by status and currency: from the counters, or from the rows they cannot answer. */
export async function commissionStats(db: Db, given: CommissionSelection): Promise<StatsRow[]> {
  if (given.programIds.length === 0) return [];
  const selection = await withSearched(db, given);
  if (isCounted(selection)) {
    const { text, params } = countedConditionOf(selection);
    return query<StatsRow>(
      db,
      `SELECT status, currency, sum(commissions)::bigint AS commissions,
              coalesce(sum(commissions) FILTER (WHERE needs_review), 0)::bigint AS "needsReview",
              sum(amount_cents)::bigint AS "amountCents"
         FROM (${counters}) AS k WHERE ${text}
        GROUP BY status, currency HAVING sum(commissions) <> 0 ORDER BY currency`,
      params,
    );
  }
  const { text, params } = conditionOf(selection);
  return query<StatsRow>(
    db,
    `SELECT c.status, c.currency, count(*) AS commissions,
            count(*) FILTER (WHERE c.needs_review) AS "needsReview",
            sum(c.amount_cents)::bigint AS "amountCents"
       FROM commissions AS c WHERE ${text} GROUP BY c.status, c.currency ORDER BY c.currency`,
    params,
  );
}
