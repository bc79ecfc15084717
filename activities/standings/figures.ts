import { query, queryOne, type Db } from '../../entities/database/sql';
import {
  allTime,
  type Figure,
  type FigureMetric,
  type FigureWindow,
} from '../../entities/rules/programs/figures';

/** A sale counts unless it came back whole, a person rejected it, or it is looked at. */
const isCounted = `v.refunded_amount_cents < v.amount_cents AND NOT coalesce(
  (c.status = 'rejected' AND c.decided_by_type <> 'system')
  OR c.review_reasons && ARRAY['FRAUD_SUSPECTED', 'DISPUTED', 'POSSIBLE_DUPLICATE'], false)`;

const withCommission = 'LEFT JOIN commissions AS c ON c.conversion_id = v.id AND c.credited';

/**
 * When a customer whose first payment was the partner's first paid what counts, whoever is credited with it; null
 * where nothing counts.
 */
const firstCountedAt = `CASE WHEN ${isCounted} THEN v.occurred_at ELSE (
  SELECT min(o.occurred_at) FROM customer_aliases AS own
    JOIN customer_aliases AS a ON a.customer = own.customer
    JOIN conversions AS o ON o.program_id = v.program_id AND o.customer_id = a.alias
     AND o.customer_id <> '' AND o.attributed AND o.amount_cents > 0
    LEFT JOIN commissions AS k ON k.conversion_id = o.id AND k.credited
   WHERE own.workspace_id = v.workspace_id AND own.mode = v.mode AND own.alias = v.customer_id
     AND ${isCounted.replaceAll('v.', 'o.').replaceAll('c.', 'k.')}) END`;

/** In the window: its ends are $2 and $3, null for none. */
const isWithin = (at: string): string =>
  `${at} >= coalesce($2::timestamptz, '-infinity') AND ${at} < coalesce($3::timestamptz, 'infinity')`;

const figureSql: Readonly<Record<FigureMetric, (condition: string) => string>> = {
  customers: (condition) =>
    `count(*) FILTER (WHERE ${condition} AND v.new_customer AND ${isWithin(`(${firstCountedAt})`)})`,
  conversions: (condition) =>
    `count(*) FILTER (WHERE ${condition} AND ${isCounted} AND ${isWithin('v.occurred_at')})`,
  revenue: (condition) =>
    `coalesce(sum(v.amount_cents - v.refunded_amount_cents) FILTER (WHERE ${condition}
      AND v.currency = g.currency AND ${isCounted} AND ${isWithin('v.occurred_at')}), 0)::bigint`,
};

const figuresSql = (metric: FigureMetric): string =>
  `SELECT v.participant_id AS "participantId", ${figureSql[metric]('true')} AS "all",
          ${figureSql[metric]("v.source = 'import'")} AS imported
     FROM conversions AS v JOIN programs AS g ON g.id = v.program_id ${withCommission}
    WHERE v.program_id = $1 AND v.attributed AND v.amount_cents > 0`;

/**
 * What a partner has brought to a programme, as tiers and bonuses count it; revenue in the programme's currency
 * alone.
 */
export async function figureOf(
  db: Db,
  { programId, participantId }: { programId: string; participantId: string },
  { metric, window = allTime }: { metric: FigureMetric; window?: FigureWindow },
): Promise<Figure> {
  const row = await queryOne<Figure>(
    db,
    `${figuresSql(metric)} AND v.participant_id = $4 GROUP BY v.participant_id`,
    [programId, window.from, window.to, participantId],
  );
  return { all: row?.all ?? 0, imported: row?.imported ?? 0 };
}

/** The figures of all partners of a programme who have sold anything. */
export function figuresOf(
  db: Db,
  programId: string,
  { metric, window }: { metric: FigureMetric; window: FigureWindow },
): Promise<(Figure & { participantId: string })[]> {
  return query(
    db,
    `${figuresSql(metric)} AND v.participant_id IS NOT NULL GROUP BY v.participant_id`,
    [programId, window.from, window.to],
  );
}
