import { query, type Db } from '../../entities/database/sql';
import type { ConversionSource } from '../../entities/rules/attribution/attribute';
import type { CandidateFacts, ConversionFacts } from './read-signals';
import type { ConversionReport } from './report';

/** A report with what is known of the partners whom it may be credited to. */
interface Reported {
  report: ConversionReport;
  now: Date;
  facts: ConversionFacts;
}

/**
 * A sale that its shop reports under an order id of its own and that a biller tells too: nothing joins
 * the two but participant, sum and time. What the biller's charge came to, with tax, may be the sum that
 * the shop knows (docs/reference/commissions.md, Review).
 */
const lookAlikesSql = `
  SELECT q.n
    FROM unnest($1::int[], $2::uuid[], $3::text[], $4::text[], $5::bigint[], $6::bigint[],
                $7::timestamptz[]) AS q (n, participant_id, source, currency, net, gross, at)
   WHERE EXISTS (
     SELECT 1 FROM conversions AS v LEFT JOIN conversion_settlements AS s ON s.conversion_id = v.id
      WHERE v.participant_id = q.participant_id AND v.attributed
        AND v.occurred_at BETWEEN q.at - interval '48 hours' AND q.at + interval '48 hours'
        AND v.source <> q.source AND v.currency = q.currency
        AND (v.amount_cents IN (q.net, q.gross)
          OR (v.source = 'stripe' AND s.charge_cents = q.net)
          OR EXISTS (SELECT 1 FROM stripe_payments AS p WHERE p.conversion_id = v.id
                        AND (p.sale->>'grossCents')::bigint = q.net)))`;

/** A sale of one participant that another source may tell as well. */
export interface Twin {
  participantId: string;
  source: ConversionSource;
  currency: string;
  /** Minor units: the base, and what the buyer was charged. */
  amountCents: number;
  grossCents: number;
  at: Date;
}

/** What of a report another source may tell; null for a sale without a sum, or of one source alone. */
export function twinOf(
  { report, now }: Pick<Reported, 'report' | 'now'>,
  { program, participant, sellsByStripe }: CandidateFacts,
): Twin | null {
  const { source, currency, amountCents, grossCents = amountCents, occurredAt } = report;
  const isToldTwice = program.salesFrom === 'both' && sellsByStripe;
  if (currency === null || amountCents === 0 || !isToldTwice) return null;
  const at = occurredAt ?? now;
  return { participantId: participant.id, source, currency, amountCents, grossCents, at };
}

/** The candidates of each report who have a conversion like it from the other source already. */
export async function findLookAlikes(db: Db, reported: readonly Reported[]): Promise<string[][]> {
  const asked = reported.flatMap((one, place) =>
    candidatesOf(one.facts).flatMap((candidate) => {
      const twin = twinOf(one, candidate);
      return twin ? [{ place, twin }] : [];
    }),
  );
  const found = reported.map((): string[] => []);
  for (const { place, twin } of await alike(db, asked)) found[place]?.push(twin.participantId);
  return found;
}

/** A twin to look for, and the place of what asks in a list. */
export interface Asked {
  place: number;
  twin: Twin;
}

/** The questions to which the answer is yes: there is such a conversion from the other source. */
export async function alike(db: Db, asked: readonly Asked[]): Promise<Asked[]> {
  if (asked.length === 0) return [];
  const rows = await query<{ n: number }>(db, lookAlikesSql, [
    asked.map((_, n) => n),
    asked.map(({ twin }) => twin.participantId),
    asked.map(({ twin }) => twin.source),
    asked.map(({ twin }) => twin.currency),
    asked.map(({ twin }) => twin.amountCents),
    asked.map(({ twin }) => twin.grossCents),
    asked.map(({ twin }) => twin.at),
  ]);
  return rows.flatMap(({ n }) => asked[n] ?? []);
}

/** All whom the sale may be credited to: a customer's binding takes no signal (docs/reference/customers.md). */
function candidatesOf({ click, code, credit, customer }: ConversionFacts): CandidateFacts[] {
  const bound = customer?.binding?.facts ?? null;
  return [click, code, credit, bound].filter((candidate) => candidate !== null);
}
