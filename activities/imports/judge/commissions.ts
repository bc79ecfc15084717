import { query, type Db } from '../../../entities/database/sql';
import {
  claimThatHolds,
  judgeRepeat,
  type Standing,
} from '../../../entities/rules/imports/booking';
import type { StoredCommission, ToldFacts } from '../../../entities/rules/imports/stored';
import type { ToldStatus } from '../../../entities/rules/imports/statuses';
import type { ImportRow } from '../../../entities/tables/imports/import-row.entity';
import type { Import } from '../../../entities/tables/imports/import.entity';
import { partnersOf, recordsOf, refused, type Judged, type Phase, type Verdict } from './verdict';

export interface CommissionVerdict {
  participantId: string | null;
  /** What it was booked as before. */
  commissionId: string | null;
  /** `own`: a conversion is made; an id: one that is here without a commission; null: none is its own. */
  conversion: 'own' | { id: string } | null;
}

/** Commissions: new, known, moved on over there, or of a sale that is here. */
export async function judgeCommissions(
  db: Db,
  held: Import,
  { rows, phase }: { rows: readonly ImportRow[]; phase: Phase },
): Promise<Judged<CommissionVerdict>[]> {
  const partners = await partnersOf(db, held, { rows, phase });
  const keys = rows.flatMap(({ theirKey }) => theirKey ?? []);
  const records = await recordsOf(db, held, { kind: 'commissions', keys });
  const standing = await standingOf(
    db,
    [...records.values()].map(({ recordId }) => recordId),
  );
  const fresh = rows.filter(({ theirKey }) => !records.has(theirKey ?? ''));
  const sales = await salesHere(db, held, fresh);
  const holders = await holdersOf(db, held, fresh);

  const judgeNew = (row: ImportRow, participantId: string | null): Verdict<CommissionVerdict> => {
    const { saleIds, saleCents } = commissionOf(row);
    const none = { outcome: 'new', participantId, commissionId: null } as const;
    if (saleIds.length === 0) return { ...none, conversion: saleCents === null ? null : 'own' };
    const here = saleIds.map((id) => sales.get(id)).filter((sale) => sale !== undefined);
    if (here.some(({ commission }) => commission === 'other')) return refused('SALE_KNOWN');
    if (here.some(({ commission }) => commission === 'imported'))
      return { ...none, conversion: null };
    if (!saleIds.every((id) => (holders.get(id) ?? row.n) === row.n)) {
      return { ...none, conversion: null };
    }
    const [found] = here;
    return { ...none, conversion: found ? { id: found.conversionId } : 'own' };
  };
  const judge = (row: ImportRow): Verdict<CommissionVerdict> => {
    const partner = partners.get(row.partnerKey ?? '');
    if (!partner) return refused('PARTNER_UNKNOWN');
    const { participantId } = partner;
    const record = records.get(row.theirKey ?? '');
    if (commissionOf(row).isAfter) {
      return { outcome: 'skipped', participantId, commissionId: null, conversion: null };
    }
    if (!record) return judgeNew(row, participantId);
    const here = standing.get(record.recordId);
    if (!here) return refused('CONFLICT');
    const repeat = judgeRepeat({ before: beforeOf(record.told), now: toldOf(row) }, here);
    if (repeat === 'conflict') return refused('CONFLICT');
    return { outcome: repeat, participantId, commissionId: record.recordId, conversion: null };
  };
  return rows.map((row) => ({ row, verdict: judge(row) }));
}

export function commissionOf({ fields }: ImportRow): StoredCommission {
  return fields as StoredCommission;
}

/** Status and sum of a row. */
export function toldOf({ told, amountCents }: ImportRow): {
  status: ToldStatus;
  amountCents: number;
} {
  if (told === null || amountCents === null) throw new Error('a commission without a sum');
  return { status: told, amountCents };
}

function beforeOf({ status, amountCents }: ToldFacts): ReturnType<typeof toldOf> {
  return { status: status as ToldStatus, amountCents: Number(amountCents) };
}

async function standingOf(db: Db, ids: readonly string[]): Promise<Map<string, Standing>> {
  if (ids.length === 0) return new Map();
  const rows = await query<Standing & { id: string }>(
    db,
    `SELECT id, status, payout_id IS NOT NULL AND status <> 'paid' AS "inPayout"
       FROM commissions WHERE id = ANY ($1::uuid[])`,
    [ids],
  );
  return new Map(rows.map(({ id, ...standing }) => [id, standing]));
}

interface SaleHere {
  conversionId: string;
  commission: 'imported' | 'other' | 'none';
}

/**
 * What is here of these sales, by their ids. What an import of another name or programme has brought is as good
 * as earned here: theirs, told again, would be paid twice.
 */
async function salesHere(
  db: Db,
  { workspaceId, mode, programId, source, name }: Import,
  rows: readonly ImportRow[],
): Promise<Map<string, SaleHere>> {
  const ids = rows.flatMap((row) => commissionOf(row).saleIds);
  if (ids.length === 0) return new Map();
  const found = await query<SaleHere & { alias: string }>(
    db,
    `SELECT a.alias, a.conversion_id AS "conversionId",
            coalesce((SELECT CASE WHEN EXISTS (SELECT 1 FROM imported_records AS r
                WHERE r.record_id = c.id AND r.program_id = $4 AND r.source = $5 AND r.name = $6)
                THEN 'imported' ELSE 'other' END
              FROM commissions AS c WHERE c.conversion_id = a.conversion_id
              ORDER BY c.credited DESC LIMIT 1),
              CASE v.source WHEN 'import' THEN 'imported' ELSE 'none' END) AS commission
       FROM conversion_aliases AS a JOIN conversions AS v ON v.id = a.conversion_id
      WHERE a.workspace_id = $1 AND a.mode = $2 AND a.alias = ANY ($3::text[])`,
    [workspaceId, mode, ids, programId, source, name],
  );
  return new Map(found.map(({ alias, ...sale }) => [alias, sale]));
}

interface Claim {
  saleId: string;
  n: number;
  isOfCustomer: boolean;
  occurredAt: string;
}

/** The row that has the sale, for sales that several rows name; one below nothing takes back, and has none. */
async function holdersOf(
  db: Db,
  held: Import,
  rows: readonly ImportRow[],
): Promise<Map<string, number>> {
  const ids = [...new Set(rows.flatMap((row) => commissionOf(row).saleIds))];
  if (ids.length === 0) return new Map();
  const shared = await query<{ saleId: string }>(
    db,
    `SELECT k.sale_id AS "saleId" FROM unnest($2::text[]) AS k (sale_id)
      CROSS JOIN LATERAL (SELECT count(*) AS rows FROM (
        SELECT 1 FROM import_sales AS s WHERE s.import_id = $1 AND s.sale_id = k.sale_id LIMIT 2
      ) AS two) AS claimed WHERE claimed.rows > 1`,
    [held.id, ids],
  );
  if (shared.length === 0) return new Map();
  const claims = await query<Claim>(
    db,
    `SELECT s.sale_id AS "saleId", r.n, r.fields->>'occurredAt' AS "occurredAt",
            coalesce((SELECT u.partner_key = r.partner_key FROM import_rows AS u
              WHERE u.import_id = $1 AND u.kind = 'customers' AND u.their_key = r.customer_key
                AND u.problem IS NULL), false) AS "isOfCustomer"
       FROM import_sales AS s
       JOIN import_rows AS r ON r.import_id = $1 AND r.kind = 'commissions' AND r.n = s.n
      WHERE s.import_id = $1 AND s.sale_id = ANY ($2::text[])
        AND r.problem IS NULL AND NOT (r.fields->>'isAfter')::boolean AND r.amount_cents >= 0`,
    [held.id, shared.map(({ saleId }) => saleId)],
  );
  const bySale = new Map<string, Claim[]>();
  for (const claim of claims) {
    bySale.set(claim.saleId, [...(bySale.get(claim.saleId) ?? []), claim]);
  }
  return new Map(
    [...bySale].flatMap(([saleId, all]): [string, number][] => {
      const n = claimThatHolds(all);
      return n === undefined ? [] : [[saleId, n]];
    }),
  );
}
