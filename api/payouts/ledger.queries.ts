import { selectList } from '../../entities/database/columns';
import { newestFirst, readList, type Found, type List } from '../../entities/database/list';
import type { Db } from '../../entities/database/sql';
import { erasedName } from '../../entities/rules/erasure/erasure';
import type { Scope } from '../../entities/rules/values/mode';
import { dateRange } from '../../entities/rules/values/instant';
import { LedgerEntry } from '../../entities/tables/commissions/ledger-entry.entity';
import type { LedgerQuery } from './ledger.dto';

const ofEntry = [
  'id',
  'createdAt',
  'type',
  'amountCents',
  'currency',
  'programId',
  'participantId',
  'commissionId',
  'payoutId',
] as const;

export type LedgerRow = Pick<LedgerEntry, (typeof ofEntry)[number]> & {
  partnerName: string;
  reason: string | null;
};

/** The reason in words: why it was adjusted or rejected, or why a payment came back. */
const reasonOf = `CASE l.type WHEN 'adjustment' THEN c.adjustment_reason
  WHEN 'reversal' THEN c.rejection_reason WHEN 'payout_reversal' THEN i.reason END`;

/** Outer joins, since partners of an import that was taken back are gone, and what was booked of them stays. */
const joins = `LEFT JOIN participants AS p ON p.id = l.participant_id
  LEFT JOIN commissions AS c ON c.id = l.commission_id AND l.type IN ('adjustment', 'reversal')
  LEFT JOIN payout_items AS i ON l.type = 'payout_reversal' AND i.payout_id = l.payout_id
    AND i.participant_id = l.participant_id AND i.currency = l.currency`;

type LedgerFilter = Omit<LedgerQuery, 'format' | 'page' | 'limit'>;

function filterOf(
  { workspaceId, mode }: Scope,
  {
    type,
    programId,
    participantId,
    commissionId,
    currency,
    from: dateFrom,
    to: dateTo,
  }: LedgerFilter,
): Pick<List, 'where' | 'params'> {
  const { from, to } = dateRange({ dateFrom, dateTo });
  const conditions: [condition: (at: string) => string, value: unknown][] = [
    [(at) => `l.workspace_id = ${at}`, workspaceId],
    [(at) => `l.mode = ${at}`, mode],
    [(at) => `l.created_at >= ${at}`, from],
    [(at) => `l.created_at < ${at}`, to],
    [(at) => `l.program_id = ${at}`, programId],
    [(at) => `l.participant_id = ${at}`, participantId],
    [(at) => `l.commission_id = ${at}`, commissionId],
    [(at) => `l.type = ANY(${at})`, type?.split(',')],
    [(at) => `l.currency = ${at}`, currency],
  ];
  // Conditions that nobody asked for are left out: each set of filters has a plan of its own.
  const asked = conditions.filter(([, value]) => value !== undefined && value !== null);
  return {
    where: asked.map(([condition], at) => condition(`$${at + 1}`)).join(' AND '),
    params: asked.map(([, value]) => value),
  };
}

/** The ledger's entries, newest first. */
export function listLedger(db: Db, scope: Scope, query: LedgerQuery): Promise<Found<LedgerRow>> {
  const list = {
    columns: `${selectList(LedgerEntry, 'l', ofEntry)}, coalesce(p.partner_name, '${erasedName}') AS "partnerName",
      ${reasonOf} AS reason`,
    from: 'ledger_entries AS l',
    joins,
    ...filterOf(scope, query),
    order: newestFirst('l'),
  };
  return readList(db, list, query);
}

/** A part of the export, in the same order; its first column is the row's place. */
export function ledgerPage(
  scope: Scope,
  filter: LedgerFilter,
  { after, limit }: { after: string | null; limit: number },
): { text: string; params: unknown[] } {
  const { where, params } = filterOf(scope, filter);
  const [time, id] = after?.split(' ') ?? [];
  const place = time ? [time.replace('T', ' '), id] : [];
  const [first, second] = [params.length + 1, params.length + 2];
  const follows = time
    ? `(l.created_at, l.id) < ($${first}::timestamptz, $${second}::uuid)`
    : 'true';
  return {
    text: `SELECT to_char(l.created_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.USZ') || ' ' || l.id,
                  l.id::text, to_char(l.created_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MSZ'),
                  l.type, l.amount_cents::text, l.currency, l.program_id::text,
                  l.participant_id::text, coalesce(p.partner_name, '${erasedName}'), l.commission_id::text, l.payout_id::text,
                  ${reasonOf}
             FROM ledger_entries AS l ${joins} WHERE ${where} AND ${follows}
            ORDER BY l.created_at DESC, l.id DESC LIMIT ${limit}`,
    params: [...params, ...place],
  };
}

/** The cells of a row of `ledgerPage`: amounts as numbers, whose sign is no formula. */
export function ledgerCells([
  ,
  id,
  createdAt,
  type,
  amount,
  ...rest
]: readonly unknown[]): unknown[] {
  return [id, createdAt, type, Number(amount), ...rest];
}
