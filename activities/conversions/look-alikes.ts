import { query, type Db } from '../../entities/database/sql';
import type { CandidateFacts, ConversionFacts } from './read-signals';
import type { ConversionReport } from './report';

/** A report with what is known of the partners whom it may be credited to. */
interface Reported {
  report: ConversionReport;
  now: Date;
  facts: ConversionFacts;
}

/**
 * A sale that its shop reports under an order id of its own and that Stripe tells too: nothing joins
 * the two but participant, sum and time. What Stripe's charge came to, with tax, may be the sum that
 * the shop knows (docs/reference/commissions.md, Review).
 */
const lookAlikesSql = `
  SELECT q.n, q.participant_id AS "participantId"
    FROM unnest($1::int[], $2::uuid[], $3::text[], $4::text[], $5::bigint[], $6::bigint[],
                $7::timestamptz[]) AS q (n, participant_id, source, currency, net, gross, at)
   WHERE EXISTS (
     SELECT 1 FROM conversions AS v LEFT JOIN conversion_settlements AS s ON s.conversion_id = v.id
      WHERE v.participant_id = q.participant_id AND v.attributed
        AND v.occurred_at BETWEEN q.at - interval '48 hours' AND q.at + interval '48 hours'
        AND v.source <> q.source AND v.currency = q.currency
        AND (v.amount_cents IN (q.net, q.gross)
          OR (v.source = 'stripe' AND s.charge_cents = q.net)))`;

/** Of each report, the candidates who have a conversion like it from the other source already. */
export async function findLookAlikes(db: Db, reported: readonly Reported[]): Promise<string[][]> {
  const found = reported.map((): string[] => []);
  const asked = reported.flatMap(({ report, now, facts }, index) => {
    const { source, currency, amountCents, grossCents = amountCents, occurredAt } = report;
    if (currency === null || amountCents === 0) return [];
    const at = occurredAt ?? now;
    return candidatesOf(facts)
      .filter(({ program, sellsByStripe }) => program.salesFrom === 'both' && sellsByStripe)
      .map(({ participant }) => [
        index,
        participant.id,
        source,
        currency,
        amountCents,
        grossCents,
        at,
      ]);
  });
  if (asked.length === 0) return found;
  const values = [0, 1, 2, 3, 4, 5, 6].map((column) => asked.map((row) => row[column]));
  const rows = await query<{ n: number; participantId: string }>(db, lookAlikesSql, values);
  for (const { n, participantId } of rows) found[n]?.push(participantId);
  return found;
}

/** All whom the sale may be credited to: a customer's binding takes no signal (docs/reference/customers.md). */
function candidatesOf({ click, code, credit, customer }: ConversionFacts): CandidateFacts[] {
  const bound = customer?.binding?.facts ?? null;
  return [click, code, credit, bound].filter((candidate) => candidate !== null);
}
