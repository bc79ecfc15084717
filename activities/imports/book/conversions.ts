import { insertAll } from '../../../entities/database/insert-all';
import { execute, query } from '../../../entities/database/sql';
import { newId } from '../../../entities/ids';
import { importedExplanation } from '../../../entities/rules/attribution/attribute';
import type { ImportRow } from '../../../entities/tables/imports/import-row.entity';
import { AttributionDecision } from '../../../entities/tables/conversions/attribution-decision.entity';
import { ConversionAlias } from '../../../entities/tables/conversions/conversion-alias.entity';
import { ConversionSettlement } from '../../../entities/tables/conversions/conversion-settlement.entity';
import { Conversion } from '../../../entities/tables/conversions/conversion.entity';
import { enqueueNamed } from '../../billing/payments/enqueue-follow-ups';
import { aliasLockKey } from '../../conversions/alias-locks';
import { settleConversion } from '../../settlement/settle';
import type { Import } from '../../../entities/tables/imports/import.entity';
import { commissionOf } from '../judge/commissions';
import { keyOfRow, type Booking } from './booking';

export interface SaleToBook {
  row: ImportRow;
  participantId: string;
}

/** Whoever else writes an id of these sales waits, or has written it before. */
export async function lockSales(
  { tx, held, context }: Booking,
  rows: readonly ImportRow[],
): Promise<void> {
  const { workspaceId, mode } = context.scope;
  await execute(
    tx,
    `SELECT pg_advisory_xact_lock(key) FROM (
       SELECT DISTINCT ${aliasLockKey('$1::text', '$2::text', 'alias')} AS key
         FROM unnest($3::text[]) AS alias ORDER BY 1) AS keys`,
    [workspaceId, mode, rows.flatMap((row) => idsOf(held, row))],
  );
}

/** The ids of a sale; one without any is named after its commission. None of what is no sale. */
function idsOf(held: Import, row: ImportRow): string[] {
  const { saleIds, saleCents } = commissionOf(row);
  return saleIds.length > 0 || saleCents === null ? saleIds : [nameOf(held, row)];
}

function nameOf({ source }: Import, row: ImportRow): string {
  return `import:${source}:${keyOfRow(row)}`;
}

/** The names of each sale, by the number of its row. */
export type SaleNames = ReadonlyMap<number, readonly string[]>;

/**
 * What each sale is known by: its ids, else the name of its commission; where an import of another name or
 * programme has a sale of that name, its own import is named, too. The names are locked.
 */
export async function namesOf(
  { tx, held, context }: Booking,
  rows: readonly ImportRow[],
): Promise<SaleNames> {
  const { workspaceId, mode } = context.scope;
  const unnamed = rows.filter((row) => commissionOf(row).saleIds.length === 0);
  const found = await query<{ alias: string }>(
    tx,
    `SELECT alias FROM conversion_aliases
      WHERE workspace_id = $1 AND mode = $2 AND alias = ANY ($3::text[])`,
    [workspaceId, mode, unnamed.map((row) => nameOf(held, row))],
  );
  const given = rows.flatMap((row) => commissionOf(row).saleIds);
  const taken = new Set([...given, ...found.map(({ alias }) => alias)]);
  return new Map(
    rows.map((row): [number, string[]] => {
      const ids = idsOf(held, row);
      const isTaken = commissionOf(row).saleIds.length === 0 && ids.some((id) => taken.has(id));
      return [row.n, isTaken ? [`import:${held.source}:${held.id}:${keyOfRow(row)}`] : ids];
    }),
  );
}

/** Conversions of sales that are not here, credited as the old system did; by the number of their row. */
export async function makeConversions(
  booking: Booking,
  { sales, names }: { sales: readonly SaleToBook[]; names: SaleNames },
): Promise<Map<number, string>> {
  const { tx, context } = booking;
  const { workspaceId, mode } = context.scope;
  const customers = await customerIdsOf(booking, sales);
  const made = sales.map((sale) => ({ ...sale, id: newId(context.now) }));
  const scope = { workspaceId, mode };
  await insertAll(tx, {
    into: ConversionAlias,
    rows: made.flatMap(({ row, id: conversionId }) =>
      (names.get(row.n) ?? []).map((alias) => ({ ...scope, alias, conversionId })),
    ),
  });
  await insertAll(tx, {
    into: Conversion,
    rows: made.map((sale) =>
      conversionRow(booking, sale, {
        customerId: customers.get(sale.row.n) ?? null,
        externalTransactionId: names.get(sale.row.n)?.[0] ?? '',
      }),
    ),
  });
  await noteRefunds(
    booking,
    made.map(({ row, id }) => ({ id, row })),
  );
  await insertAll(tx, {
    into: AttributionDecision,
    rows: made.map(({ row, id: conversionId }) => ({
      conversionId,
      ...scope,
      trace: traceOf(row, context.now),
      facts: null,
      createdAt: context.now,
    })),
  });
  const ids = sales.flatMap(({ row }) => commissionOf(row).saleIds);
  if (ids.length > 0) await enqueueNamed(tx, context, ids);
  return new Map(made.map(({ row, id }) => [row.n, id]));
}

function conversionRow(
  booking: Booking,
  { row, participantId, id }: SaleToBook & { id: string },
  known: Pick<Conversion, 'customerId' | 'externalTransactionId'>,
): Partial<Conversion> {
  const { held, context } = booking;
  const { saleCents, occurredAt } = commissionOf(row);
  return {
    id,
    workspaceId: held.workspaceId,
    mode: held.mode,
    externalTransactionId: known.externalTransactionId,
    source: 'import',
    eventType: 'purchase',
    amountCents: saleCents ?? 0,
    currency: row.currency,
    occurredAt: new Date(occurredAt),
    customerId: known.customerId,
    attributed: true,
    newCustomer: false,
    reason: 'ATTRIBUTED',
    explanation: importedExplanation,
    matchedBy: 'import',
    programId: held.programId,
    participantId,
    createdAt: context.now,
  };
}

function traceOf(row: ImportRow, now: Date): AttributionDecision['trace'] {
  return {
    source: 'import',
    reported_at: now.toISOString(),
    occurred_at: commissionOf(row).occurredAt,
    signals: { click_id: null, promo_code: null },
    candidates: [],
    rule: null,
    terms: null,
    fraud_rules: [],
  };
}

/** What was given back before is in what was told of the commission: only what comes later takes off. */
async function noteRefunds(
  { tx, context }: Booking,
  sales: readonly { id: string; row: ImportRow }[],
): Promise<void> {
  const refunded = sales.filter(({ row }) => commissionOf(row).saleRefundedCents > 0);
  if (refunded.length === 0) return;
  const { workspaceId, mode } = context.scope;
  await insertAll(tx, {
    into: ConversionSettlement,
    rows: refunded.map(({ id: conversionId, row }) => ({
      conversionId,
      workspaceId,
      mode,
      chargeCents: null,
      refundedCents: 0,
      lostDisputeCents: 0,
      settledLostCents: 0,
      openDisputes: 0,
      feeCents: null,
      refundedBeforeCents: commissionOf(row).saleRefundedCents,
      apiRefundedBeforeCents: null,
      updatedAt: context.now,
    })),
  });
  await execute(
    tx,
    `UPDATE conversions AS v SET refunded_amount_cents = r.cents
       FROM unnest($1::uuid[], $2::bigint[]) AS r (id, cents)
      WHERE v.id = r.id AND v.id = ANY ($1::uuid[]) AND v.workspace_id = $3 AND v.mode = $4`,
    [
      refunded.map(({ id }) => id),
      refunded.map(({ row }) => commissionOf(row).saleRefundedCents),
      workspaceId,
      mode,
    ],
  );
}

/** The merchant's id of the buyer of each row. */
async function customerIdsOf(
  { tx, held }: Booking,
  sales: readonly SaleToBook[],
): Promise<Map<number, string>> {
  const keys = [...new Set(sales.flatMap(({ row }) => row.customerKey ?? []))];
  const found = await query<{ key: string; customerId: string }>(
    tx,
    `SELECT k.key, u.customer_id AS "customerId" FROM unnest($4::text[]) AS k (key)
      CROSS JOIN LATERAL (SELECT record_id FROM imported_records
        WHERE program_id = $1 AND source = $2 AND name = $3 AND kind = 'customers'
          AND their_key = k.key LIMIT 1) AS r
      CROSS JOIN LATERAL (SELECT customer_id FROM customers WHERE id = r.record_id LIMIT 1) AS u`,
    [held.programId, held.source, held.name, keys],
  );
  const known = new Map(found.map(({ key, customerId }) => [key, customerId]));
  return new Map(
    sales.flatMap(({ row }): [number, string][] => {
      const id = known.get(row.customerKey ?? '') ?? commissionOf(row).customerId;
      return id === null ? [] : [[row.n, id]];
    }),
  );
}

export interface SaleToTake extends SaleToBook {
  conversionId: string;
}

/** Sales that are here and earned nothing: they are the imported partner's. */
export async function takeConversions(
  booking: Booking,
  sales: readonly SaleToTake[],
): Promise<void> {
  if (sales.length === 0) return;
  const { tx, held } = booking;
  await execute(
    tx,
    `UPDATE conversions AS v
        SET attributed = true, reason = 'ATTRIBUTED', explanation = $3, matched_by = 'import',
            program_id = $4, participant_id = s.participant_id, link_id = NULL,
            window_ends_at = NULL, new_customer = false, credited_as = NULL
       FROM unnest($1::uuid[], $2::uuid[]) AS s (id, participant_id)
      WHERE v.id = s.id AND v.id = ANY ($1::uuid[]) AND v.workspace_id = $5 AND v.mode = $6`,
    [
      sales.map(({ conversionId }) => conversionId),
      sales.map(({ participantId }) => participantId),
      importedExplanation,
      held.programId,
      held.workspaceId,
      held.mode,
    ],
  );
  await noteRefundsOfTaken(booking, sales);
}

/** What came back up to the cutover, whoever told it, is in the told sum: only what comes later takes off. */
async function noteRefundsOfTaken(
  { tx, held, context }: Booking,
  sales: readonly SaleToTake[],
): Promise<void> {
  const { workspaceId, mode } = context.scope;
  const before = await query<{ id: string; cents: number; byApi: number }>(
    tx,
    `SELECT v.id, least(greatest(s.told, r.cents), v.amount_cents) AS cents, r.cents AS "byApi"
       FROM unnest($1::uuid[], $2::bigint[]) AS s (id, told)
       JOIN conversions AS v ON v.id = s.id AND v.workspace_id = $3 AND v.mode = $4
      CROSS JOIN LATERAL (SELECT coalesce(sum(amount_cents), 0)::bigint AS cents
         FROM conversion_refunds WHERE conversion_id = v.id AND created_at <= $5) AS r
      WHERE v.id = ANY ($1::uuid[]) AND greatest(s.told, r.cents) > 0`,
    [
      sales.map(({ conversionId }) => conversionId),
      sales.map(({ row }) => commissionOf(row).saleRefundedCents),
      ...[workspaceId, mode, held.cutover],
    ],
  );
  await insertAll(tx, {
    into: ConversionSettlement,
    rows: before.map(({ id: conversionId, cents, byApi }) => ({
      conversionId,
      workspaceId,
      mode,
      refundedBeforeCents: cents,
      apiRefundedBeforeCents: byApi,
      updatedAt: context.now,
    })),
    onConflict: `ON CONFLICT (conversion_id) DO UPDATE
      SET refunded_before_cents = excluded.refunded_before_cents,
          api_refunded_before_cents = excluded.api_refunded_before_cents,
          updated_at = excluded.updated_at`,
  });
}

/** Settles the sales that an import took over: refunds that came before it count for their commissions now. */
export async function settleTaken(
  { tx, context }: Booking,
  sales: readonly SaleToTake[],
): Promise<void> {
  if (sales.length === 0) return;
  const told = await query<{ id: string }>(
    tx,
    `SELECT s.id FROM unnest($1::uuid[]) AS s (id)
      WHERE EXISTS (SELECT 1 FROM conversion_refunds AS f WHERE f.conversion_id = s.id)
         OR EXISTS (SELECT 1 FROM conversion_settlements AS t WHERE t.conversion_id = s.id)
      ORDER BY s.id`,
    [sales.map(({ conversionId }) => conversionId)],
  );
  for (const { id } of told) await settleConversion(tx, context, { conversionId: id });
}
