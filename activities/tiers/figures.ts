import { queryOne, type Db } from '../../entities/database/sql';
import type { FigureMetric } from '../../entities/rules/programs/tiers';

/** A sale counts unless it came back whole, a person rejected it, or it is looked at. */
const isCounted = `v.refunded_amount_cents < v.amount_cents AND NOT coalesce(
  (c.status = 'rejected' AND c.decided_by_type <> 'system')
  OR c.review_reasons && ARRAY['FRAUD_SUSPECTED', 'DISPUTED', 'POSSIBLE_DUPLICATE'], false)`;

const withCommission = 'LEFT JOIN commissions AS c ON c.conversion_id = v.id AND c.credited';

/** Of a customer whose first payment was the partner's any payment may count, whoever is credited with it. */
const anotherCounts = `EXISTS (
  SELECT 1 FROM customer_aliases AS own
    JOIN customer_aliases AS a ON a.customer = own.customer
    JOIN conversions AS o ON o.program_id = v.program_id AND o.customer_id = a.alias
     AND o.customer_id <> '' AND o.attributed AND o.amount_cents > 0
    LEFT JOIN commissions AS k ON k.conversion_id = o.id AND k.credited
   WHERE own.workspace_id = v.workspace_id AND own.mode = v.mode AND own.alias = v.customer_id
     AND ${isCounted.replaceAll('v.', 'o.').replaceAll('c.', 'k.')})`;

const figureSql: Readonly<Record<FigureMetric, string>> = {
  customers: `count(*) FILTER (WHERE v.new_customer AND ((${isCounted}) OR ${anotherCounts}))`,
  conversions: `count(*) FILTER (WHERE ${isCounted})`,
  revenue: `coalesce(sum(v.amount_cents - v.refunded_amount_cents)
    FILTER (WHERE v.currency = g.currency AND ${isCounted}), 0)::bigint`,
};

/** What a partner has brought to a programme, as tiers count it; revenue in the programme's currency alone. */
export async function figureOf(
  db: Db,
  { programId, participantId }: { programId: string; participantId: string },
  metric: FigureMetric,
): Promise<number> {
  const row = await queryOne<{ figure: number }>(
    db,
    `SELECT ${figureSql[metric]} AS figure
       FROM conversions AS v JOIN programs AS g ON g.id = v.program_id ${withCommission}
      WHERE v.participant_id = $1 AND v.program_id = $2 AND v.attributed AND v.amount_cents > 0`,
    [participantId, programId],
  );
  return row?.figure ?? 0;
}
