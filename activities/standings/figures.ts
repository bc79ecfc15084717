import { query, type Db } from '../../entities/database/sql';
import type { Figure, FigureMetric } from '../../entities/rules/programs/figures';

/** A sale counts unless it came back whole, a person rejected it, or it is under review. */
const isCounted = `v.refunded_amount_cents < v.amount_cents AND NOT coalesce(
  (c.status = 'rejected' AND c.decided_by_type <> 'system')
  OR c.review_reasons && ARRAY['FRAUD_SUSPECTED', 'DISPUTED', 'POSSIBLE_DUPLICATE'], false)`;

/** Payments `o` of the programme by whatever name the customer of `v` has. */
const ofCustomer = `customer_aliases AS own
  JOIN customer_aliases AS a ON a.customer = own.customer
  JOIN conversions AS o ON o.program_id = v.program_id AND o.customer_id = a.alias
   AND o.customer_id <> '' AND o.attributed AND o.amount_cents > 0`;
const ownName = `own.workspace_id = v.workspace_id AND own.mode = v.mode AND own.alias = v.customer_id`;

/** An imported sale is no new customer of our own counting, and may be the first payment all the same. */
const isFirst = `(v.new_customer OR v.source = 'import' AND NOT EXISTS (
  SELECT 1 FROM ${ofCustomer}
   WHERE ${ownName} AND (o.occurred_at, o.id) < (v.occurred_at, v.id)))`;

/** Another payment of a customer whose first one was the partner's: any may count, whoever is credited with it. */
const anotherCounts = `SELECT min(o.occurred_at) AS at, bool_or(o.source = 'import') AS imported
  FROM ${ofCustomer}
  LEFT JOIN commissions AS k ON k.conversion_id = o.id AND k.credited
 WHERE ${ownName} AND f.is_first AND NOT f.counts
   AND ${isCounted.replaceAll('v.', 'o.').replaceAll('c.', 'k.')}`;

/** The sales of a programme that fit, each with what it counts for. */
const salesThat = (fits: string): string => `
  sales AS MATERIALIZED (
    SELECT v.participant_id, v.occurred_at AS at, v.source = 'import' AS imported, f.counts,
           CASE WHEN v.currency = g.currency THEN v.amount_cents - v.refunded_amount_cents ELSE 0 END
             AS revenue,
           CASE WHEN NOT f.is_first THEN NULL WHEN f.counts THEN v.occurred_at ELSE x.at END
             AS customer_at,
           CASE WHEN f.counts THEN v.source = 'import' ELSE x.imported END AS customer_imported
      FROM conversions AS v JOIN programs AS g ON g.id = v.program_id
      LEFT JOIN commissions AS c ON c.conversion_id = v.id AND c.credited
     CROSS JOIN LATERAL (SELECT (${isCounted}) AS counts,
            EXISTS (SELECT 1 FROM asked WHERE metric = 'customers') AND ${isFirst} AS is_first) AS f
     CROSS JOIN LATERAL (${anotherCounts}) AS x
     WHERE v.program_id = $1 AND ${fits} AND v.attributed AND v.amount_cents > 0)`;

const asked = `
  asked AS MATERIALIZED (
    SELECT * FROM jsonb_to_recordset($2::jsonb) AS q (n int, id uuid, metric text, "from" timestamptz,
      "to" timestamptz, "atLeast" bigint, "groupIds" jsonb))`;

const inWindow = (at: string): string =>
  `(q."from" IS NULL OR ${at} >= q."from") AND (q."to" IS NULL OR ${at} < q."to")`;

/** The figure of sales `s` by a question `q`. */
const figureSql = (imported: { sale: string; customer: string }): string => `
  CASE q.metric
    WHEN 'customers' THEN count(*) FILTER (WHERE ${inWindow('s.customer_at')}
      AND s.customer_at IS NOT NULL AND ${imported.customer})
    WHEN 'conversions' THEN count(*) FILTER (WHERE s.counts AND ${inWindow('s.at')} AND ${imported.sale})
    ELSE coalesce(sum(s.revenue) FILTER (WHERE s.counts AND ${inWindow('s.at')} AND ${imported.sale}), 0)
  END::bigint`;

const all = figureSql({ sale: 'true', customer: 'true' });
const importedAlone = figureSql({ sale: 's.imported', customer: 's.customer_imported' });

/** Times of payments, from inclusive, to exclusive; null, or left out, is without end. */
export interface FigureAsked {
  metric: FigureMetric;
  from?: string | Date | null;
  to?: string | Date | null;
}

/**
 * What a partner has brought to a programme, as tiers and bonuses count it, an answer for each question; revenue
 * in the programme's currency alone.
 */
export async function figuresOf(
  db: Db,
  { programId, participantId }: { programId: string; participantId: string },
  questions: readonly FigureAsked[],
): Promise<Figure[]> {
  if (questions.length === 0) return [];
  return query<Figure>(
    db,
    `WITH ${asked}, ${salesThat('v.participant_id = $3')}
     SELECT ${all} AS "all", ${importedAlone} AS imported
       FROM asked AS q LEFT JOIN sales AS s ON true
      GROUP BY q.n, q.metric ORDER BY q.n`,
    [programId, JSON.stringify(numbered(questions)), participantId],
  );
}

interface Unearned extends FigureAsked {
  id: string;
  atLeast: number;
  groupIds: string[] | null;
}

/** How many approved partners have the figure of each bonus, could earn it and have not. */
export async function countReached(
  db: Db,
  { programId }: { programId: string },
  bonuses: readonly Unearned[],
): Promise<number[]> {
  if (bonuses.length === 0) return [];
  const rows = await query<{ n: number; reached: number }>(
    db,
    `WITH ${asked}, ${salesThat('v.participant_id IS NOT NULL')},
     figures AS (
       SELECT q.n, q.id, q."atLeast", q."groupIds", s.participant_id, ${all} AS whole,
              ${importedAlone} AS imported
         FROM asked AS q CROSS JOIN sales AS s
        GROUP BY q.n, q.id, q.metric, q."atLeast", q."groupIds", s.participant_id)
     SELECT f.n, count(*) AS reached
       FROM figures AS f JOIN participants AS p ON p.id = f.participant_id
      WHERE f.whole >= f."atLeast" AND f.imported < f."atLeast" AND p.status = 'approved'
        AND p.erased_at IS NULL
        AND (f."groupIds" IS NULL OR f."groupIds" ? coalesce(p.group_id, p.program_id)::text)
        AND NOT EXISTS (SELECT 1 FROM earned_bonuses AS b
          WHERE b.participant_id = p.id AND b.bonus_id = f.id)
      GROUP BY f.n`,
    [programId, JSON.stringify(numbered(bonuses))],
  );
  const counts = new Map(rows.map(({ n, reached }) => [n, reached]));
  return bonuses.map((_, n) => counts.get(n) ?? 0);
}

function numbered<T extends FigureAsked>(questions: readonly T[]): (T & { n: number })[] {
  return questions.map((question, n) => ({ ...question, n }));
}
