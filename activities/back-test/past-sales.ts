import { query, type Db } from '../../entities/database/sql';
import type { TermsTrace } from '../../entities/rules/attribution/conversion';
import type { Due, PastSale } from '../../entities/rules/commissions/back-test';
import { readCreditedAs } from '../../entities/rules/payments/credit';
import type { Scope } from '../../entities/rules/values/mode';
import type { ConversionItem, ConversionMetadata } from '../../entities/rules/values/sale-facts';
import { readFacts } from '../settlement/settle';

/** A past sale with what it is worth now. */
export interface StoredSale extends PastSale {
  id: string;
  participantId: string;
  partnerName: string;
  /** The group that the partner was in when it arrived. */
  groupId: string;
  before: Due | null;
  ruleBefore: string | null;
  /** The terms that it was judged by, where it has no commission. */
  traced: TermsTrace | null;
}

interface Row {
  id: string;
  createdAt: Date;
  occurredAt: Date;
  participantId: string;
  partnerName: string;
  groupId: string;
  eventType: string;
  amountCents: number;
  currency: string | null;
  items: ConversionItem[] | null;
  metadata: ConversionMetadata | null;
  creditedAs: string | null;
  isPart: boolean;
  traced: TermsTrace | null;
  dueCurrency: string | null;
  dueCents: number | null;
  rule: string | null;
  isRejectedByHand: boolean;
}

const pageSize = 1_000;

// Attributed sales only; of a conversion at most one commission is credited.
const pageSql = `
  SELECT v.id, v.created_at AS "createdAt", v.occurred_at AS "occurredAt",
         v.participant_id AS "participantId", p.partner_name AS "partnerName",
         coalesce(m.group_id, v.program_id) AS "groupId", v.event_type AS "eventType",
         v.amount_cents AS "amountCents", v.currency, v.items, v.metadata,
         v.credited_as AS "creditedAs", coalesce((b.sale->>'isPart')::boolean, false) AS "isPart",
         CASE WHEN c.id IS NULL THEN (
           SELECT d.trace->'terms' FROM attribution_decisions AS d WHERE d.conversion_id = v.id)
         END AS traced,
         c.currency AS "dueCurrency", c.amount_cents AS "dueCents", c.terms->>'rule' AS rule,
         coalesce(c.status = 'rejected' AND c.decided_by_type <> 'system', false)
           AS "isRejectedByHand"
    FROM conversions AS v
    JOIN participants AS p ON p.id = v.participant_id
    LEFT JOIN commissions AS c ON c.conversion_id = v.id AND c.credited
    LEFT JOIN LATERAL (
      SELECT sale, created_at FROM stripe_payments WHERE conversion_id = v.id LIMIT 1) AS b ON true
    LEFT JOIN LATERAL (
      (SELECT group_id FROM group_memberships
        WHERE participant_id = v.participant_id AND since <= least(v.created_at, b.created_at)
        ORDER BY since DESC, id DESC LIMIT 1)
      UNION ALL
      (SELECT group_id FROM group_memberships
        WHERE participant_id = v.participant_id AND since > least(v.created_at, b.created_at)
        ORDER BY since, id LIMIT 1)
      LIMIT 1) AS m ON true
   WHERE v.workspace_id = $1 AND v.mode = $2 AND v.program_id = $3 AND v.attributed
     AND v.source <> 'import' AND v.created_at >= $4 AND v.created_at < $5
     AND ($6::timestamptz IS NULL OR (v.created_at, v.id) < ($6::timestamptz, $7::uuid))
   ORDER BY v.created_at DESC, v.id DESC LIMIT ${pageSize}`;

interface Period {
  programId: string;
  from: Date;
  to: Date;
}

/** Sales of a programme by arrival, the newest first, in pages: memory does not grow with their number. */
export async function* pastSales(
  db: Db,
  { workspaceId, mode }: Scope,
  { programId, from, to }: Period,
): AsyncGenerator<StoredSale[]> {
  let after: Row | undefined;
  for (;;) {
    const place = [after?.createdAt ?? null, after?.id ?? null];
    const rows: Row[] = await query<Row>(db, pageSql, [
      ...[workspaceId, mode, programId, from, to],
      ...place,
    ]);
    const facts = await readFacts(db, rows);
    yield rows
      .filter(({ isRejectedByHand }) => !isRejectedByHand)
      .flatMap((row) => {
        const known = facts.get(row.id);
        return known ? [saleOf(row, known)] : [];
      });
    after = rows.at(-1);
    if (rows.length < pageSize) return;
  }
}

function saleOf(row: Row, facts: PastSale['facts']): StoredSale {
  const { id, participantId, partnerName, groupId, traced, rule: ruleBefore, isPart } = row;
  const { eventType, currency, amountCents, items, metadata, dueCurrency, dueCents } = row;
  const { isOwn, rank } = readCreditedAs(row.creditedAs, row.occurredAt);
  const before =
    dueCurrency === null || dueCents === null
      ? null
      : { currency: dueCurrency, amountCents: dueCents };
  return {
    ...{ id, participantId, partnerName, groupId, traced, ruleBefore, before },
    sale: {
      ...{ eventType, participantId, currency, amountCents, items, metadata },
      rank: amountCents === 0 ? null : rank,
    },
    ...{ isOwn, isPart, facts },
  };
}
