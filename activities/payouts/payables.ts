import type { Scope } from '../../entities/rules/values/mode';
import { AppError } from '../../entities/errors';
import {
  choosePayables,
  planPayout,
  type DueSum,
  type Payable,
  type PlannedItem,
} from '../../entities/rules/payouts/plan';
import type { OpenSum } from '../../entities/rules/payouts/preview';
import { wholeUnitCurrencies } from '../../entities/rules/values/currency';
import { query, queryOne, type Db } from '../../entities/database/sql';
import { isCarried } from '../commissions/carried';
import { methodCounts } from './method-counts';

/**
 * What is owed for an erased participation stays payable while its account lives. An account that
 * nobody claimed is cleared with its last participation; what is owed stays payable all the same, or
 * the merchant could see from it that there was no person's account.
 */
const hasPayee = `(p.erased_at IS NULL OR EXISTS (
  SELECT 1 FROM partner_accounts AS a
   WHERE a.id = p.partner_id AND (a.erased_at IS NULL OR a.password_hash IS NULL)))`;

const hasOwnMethod = `EXISTS (SELECT 1 FROM partner_accounts AS a
  WHERE a.id = p.partner_id AND a.payout_method_encrypted IS NOT NULL AND ${methodCounts})`;

/** Partners under `p` who have said how to pay them, or of whom an import has. */
const hasMethod = `(${hasOwnMethod} OR p.payout_method_encrypted IS NOT NULL)`;

/** Partners under `p` whose way to be paid is known from an import alone. */
const isUnconfirmed = `(p.payout_method_encrypted IS NOT NULL AND NOT ${hasOwnMethod})`;

/** What the filter asks of a partner's way to be paid: `$8` for one at all, `$9` for their own. */
const isPayableWay = `(NOT $8 OR ${hasMethod}) AND (NOT $9 OR NOT ${isUnconfirmed})`;

/** Commissions under `c` that an item took of which somebody has to look whether it is paid after all. */
const isInDoubt = `EXISTS (
  SELECT 1 FROM payout_lines AS l JOIN payout_items AS i ON i.id = l.item_id
   WHERE l.commission_id = c.id AND i.attention_reason IS NOT NULL)`;

/**
 * Commissions under `c` that a new payout may take: approved, in no payout, undisputed, not in doubt, a
 * payee; by the moment that `until` names, when it is not null.
 */
const payableBy = (until: string): string => `c.status = 'approved' AND c.payout_id IS NULL
  AND c.amount_cents >= 0 AND c.adjustment_kind IS NULL AND NOT ('DISPUTED' = ANY(c.review_reasons)) AND ${hasPayee}
  AND NOT ${isInDoubt} AND (${until}::timestamptz IS NULL OR c.approved_at <= ${until})`;

/** Ids of partners who owe something in a currency, of commissions `c` of programmes that fit. */
export const indebtedIn = (programs: string): string => `
  SELECT c.participant_id FROM commissions AS c
   WHERE c.program_id ${programs} AND ${isCarried}
   GROUP BY c.participant_id, c.currency
  HAVING sum(c.owed_cents - c.reserved_cents) < 0`;

export interface PayableFilter {
  program: { id: string; currency: string; minPayoutCents: number };
  /**
   * Narrows what is payable; debts of the partners concerned are netted all the same. Without it:
   * the oldest approved ones of partners who are not suspended.
   */
  commissionIds?: readonly string[] | undefined;
  /** The time by which a commission must have been approved; debts are taken all the same. */
  until?: Date | undefined;
  /** Leaves out partners who have not said how to pay them. */
  requireMethod?: boolean | undefined;
  /** Leaves out partners whose only way to be paid is one that an import told. */
  requireConfirmed?: boolean | undefined;
}

/** One payout is one transaction, one record and one file for the bank. */
const maxCommissions = 10_000;

/** What a payout would take. */
export interface Takeable {
  /** The filter that was asked for, without the named commissions that may not be paid yet. */
  filter: PayableFilter;
  payables: Payable[];
  items: PlannedItem[];
}

/**
 * What a payout of these takes: payable commissions, the oldest first, and what their partners carry
 * in the same currency. With `locks` under row locks in the order of the ids, else as it is at this
 * moment, for somebody who wants to know. COMMISSION_NOT_PAYABLE.
 */
export async function findTakeable(
  db: Db,
  scope: Scope,
  { locks, ...asked }: PayableFilter & { locks: boolean },
): Promise<Takeable> {
  const filter = await withMethodOnly(db, scope, asked);
  const { ids, isWhole } = await candidatesOf(db, scope, filter);
  if (locks) await holdParticipants(db, ids);
  if (locks) await lockCommissions(db, ids);
  // Judged again under the lock: a rival may have changed a row, or what hangs on it, while we waited.
  const payables = await query<Payable>(db, payablesById, [
    ids,
    scope.workspaceId,
    scope.mode,
    filter.until ?? null,
  ]);
  assertAllPayable(payables, filter.commissionIds);
  const taken = isWhole ? payables : await withinBounds(db, scope, { ...filter, payables });
  return { filter, payables, items: planPayout(taken, filter.program) };
}

/** A debt is netted along with the others, but it is nothing that could be paid. */
function assertAllPayable(payables: Payable[], commissionIds?: readonly string[]): void {
  const payable = new Set(payables.filter((one) => one.isPayable).map((one) => one.commissionId));
  const isRefused = commissionIds?.some((id) => !payable.has(id)) ?? false;
  if (isRefused) throw new AppError('COMMISSION_NOT_PAYABLE');
}

const payablesById = `SELECT c.id AS "commissionId", c.participant_id AS "participantId", c.currency,
         c.owed_cents - c.reserved_cents AS "amountCents", (${payableBy('$4')}) AS "isPayable"
    FROM commissions AS c JOIN participants AS p ON p.id = c.participant_id
   WHERE c.id = ANY($1) AND c.workspace_id = $2 AND c.mode = $3
     AND ((${payableBy('$4')}) OR (${hasPayee} AND ${isCarried}))
   ORDER BY c.id`;

/** What one payout takes of more than it can hold, by what is due now. */
async function withinBounds(
  db: Db,
  scope: Scope,
  { payables, ...filter }: PayableFilter & { payables: Payable[] },
): Promise<Payable[]> {
  const due = await query<DueSum>(
    db,
    `WITH ${dueGroups}
     SELECT participant_id AS "participantId", currency,
            least(cents, ${Number.MAX_SAFE_INTEGER})::bigint AS "dueCents" FROM due`,
    paramsOf(scope, filter),
  );
  return choosePayables(payables, { max: maxCommissions, min: filter.program, due });
}

/** An erasure locks its participants: it has committed by now, or waits until we have. */
async function holdParticipants(tx: Db, commissionIds: readonly string[]): Promise<void> {
  await query(
    tx,
    `SELECT 1 FROM participants
      WHERE id IN (SELECT participant_id FROM commissions WHERE id = ANY($1))
      ORDER BY id FOR KEY SHARE`,
    [commissionIds],
  );
}

async function lockCommissions(tx: Db, ids: readonly string[]): Promise<void> {
  const sql = 'SELECT 1 FROM commissions WHERE id = ANY($1) ORDER BY id FOR UPDATE';
  await query(tx, sql, [ids]);
}

/** Whom a payout pays that names no commissions. */
const isPaidUnnamed = `p.status <> 'suspended'`;

/** How many commissions the next payout without names could take. */
export async function countPayable(
  db: Db,
  scope: Scope,
  { commissionIds: _named, ...filter }: PayableFilter,
): Promise<number> {
  const row = await queryOne<{ count: number }>(
    db,
    `WITH ${dueGroups} SELECT count(*) AS count FROM payable JOIN due USING (participant_id, currency)`,
    paramsOf(scope, filter),
  );
  return row?.count ?? 0;
}

const wholeUnits = wholeUnitCurrencies.map((currency) => `'${currency}'`).join(', ');

/**
 * Partners and currencies with something to pay: debts netted, and no less than the least payout,
 * which is in the programme's currency. Only for payouts that name no commissions are suspended
 * partners left out.
 */
const dueGroups = `payable AS (
     SELECT c.id, c.participant_id, c.currency, c.owed_cents - c.reserved_cents AS cents
       FROM commissions AS c JOIN participants AS p ON p.id = c.participant_id
      WHERE c.workspace_id = $1 AND c.mode = $2 AND c.program_id = $3 AND ${payableBy('$7')}
        AND ${isPayableWay}
        AND CASE WHEN $4::uuid[] IS NULL THEN ${isPaidUnnamed} ELSE c.id = ANY($4) END),
   carried AS (
     SELECT c.id, c.participant_id, c.currency, c.owed_cents - c.reserved_cents AS cents
       FROM commissions AS c JOIN participants AS p ON p.id = c.participant_id
      WHERE c.workspace_id = $1 AND c.mode = $2 AND c.program_id = $3
        AND ${hasPayee} AND ${isCarried} AND ${isPayableWay} AND ($4::uuid[] IS NOT NULL OR ${isPaidUnnamed})),
   due AS (
     SELECT participant_id, currency, sum(cents) AS cents
       FROM (SELECT * FROM payable UNION ALL SELECT * FROM carried) AS taken
      GROUP BY participant_id, currency
     HAVING sum(cents) >= CASE WHEN currency IN (${wholeUnits}) THEN 100 ELSE 1 END
        AND (currency <> $5 OR sum(cents) >= $6))`;

function paramsOf(scope: Scope, filter: PayableFilter): unknown[] {
  const { id, currency, minPayoutCents } = filter.program;
  const { commissionIds = null, until = null } = filter;
  const { requireMethod = false, requireConfirmed = false } = filter;
  return [
    ...[scope.workspaceId, scope.mode, id, commissionIds, currency, minPayoutCents],
    ...[until, requireMethod, requireConfirmed],
  ];
}

/**
 * Named commissions are all read, so that the one that cannot be paid is found. When there are more
 * debts than fit, each partner's largest are taken first, a share of everybody's.
 */
async function candidatesOf(
  db: Db,
  scope: Scope,
  filter: PayableFilter,
): Promise<{ ids: string[]; isWhole: boolean }> {
  const rows = await query<{ id: string; pays: boolean }>(
    db,
    `WITH ${dueGroups},
     concerned AS (
       SELECT participant_id, currency FROM payable WHERE $4::uuid[] IS NOT NULL
        UNION SELECT participant_id, currency FROM due WHERE $4::uuid[] IS NULL),
     ranked AS (
       SELECT id, row_number() OVER (PARTITION BY participant_id, currency ORDER BY cents, id) AS place
         FROM carried JOIN concerned USING (participant_id, currency))
     (SELECT id, true AS pays FROM payable JOIN concerned USING (participant_id, currency)
       ORDER BY id LIMIT ${maxCommissions + 1})
     UNION ALL
     (SELECT id, false FROM ranked ORDER BY place, id LIMIT ${maxCommissions + 1})`,
    paramsOf(scope, filter),
  );
  const carried = rows.filter(({ pays }) => !pays);
  const paying = rows.filter(({ pays }) => pays).slice(0, maxCommissions);
  const isWhole = carried.length === 0 || rows.length <= maxCommissions;
  return { ids: [...paying, ...carried].map(({ id }) => id), isWhole };
}

const openSums = `
  WITH open AS (
    SELECT c.participant_id, c.currency, p.partner_name, p.status = 'suspended' AS is_suspended,
           ${hasMethod} AS has_method, ${isUnconfirmed} AS is_unconfirmed, c.amount_cents, c.owed_cents - c.reserved_cents AS cents,
           (${payableBy('$5')}) OR (${isCarried}) AS is_due, c.status = 'approved'
             AND c.payout_id IS NULL AND 'DISPUTED' = ANY(c.review_reasons) AS is_disputed,
           c.status = 'approved' AND c.payout_id IS NULL AND ${isInDoubt} AS is_in_doubt
      FROM commissions AS c JOIN participants AS p ON p.id = c.participant_id
     WHERE c.workspace_id = $1 AND c.mode = $2 AND c.program_id = $3 AND ${hasPayee}
       AND ((c.status = 'approved' AND c.payout_id IS NULL) OR (${isCarried}))
       AND ($4::uuid[] IS NULL OR (c.participant_id, c.currency) IN (
         SELECT n.participant_id, n.currency FROM commissions AS n WHERE n.id = ANY($4))))
  SELECT participant_id AS "participantId", partner_name AS "partnerName", currency,
         coalesce(sum(cents) FILTER (WHERE is_due), 0)::bigint AS "dueCents",
         bool_or(is_due) AS "hasOpen",
         coalesce(sum(amount_cents) FILTER (WHERE is_disputed), 0)::bigint AS "disputedCents",
         coalesce(sum(cents) FILTER (WHERE is_in_doubt AND NOT is_disputed AND is_due IS NOT TRUE), 0)::bigint
           AS "inDoubtCents",
         is_suspended AS "isSuspended", has_method AS "hasMethod", is_unconfirmed AS "isUnconfirmed"
    FROM open
   GROUP BY participant_id, partner_name, currency, is_suspended, has_method, is_unconfirmed
   ORDER BY partner_name, participant_id, currency`;

/** What each partner has open in the programme, by name; of those who are named, when any are. */
export function openSumsOf(db: Db, scope: Scope, filter: PayableFilter): Promise<OpenSum[]> {
  const { program, commissionIds = null, until = null } = filter;
  const params = [scope.workspaceId, scope.mode, program.id, commissionIds, until];
  return query<OpenSum>(db, openSums, params);
}

/** The filter without named commissions of partners whose way to be paid is not what is required. */
async function withMethodOnly(db: Db, scope: Scope, filter: PayableFilter): Promise<PayableFilter> {
  const { commissionIds, requireMethod = false, requireConfirmed = false, program } = filter;
  if (!commissionIds || !(requireMethod || requireConfirmed)) return filter;
  const rows = await query<{ id: string }>(
    db,
    `SELECT c.id FROM commissions AS c JOIN participants AS p ON p.id = c.participant_id
      WHERE c.id = ANY($1) AND c.workspace_id = $2 AND c.mode = $3 AND c.program_id = $4
        AND ($5 AND NOT ${hasMethod} OR $6 AND ${isUnconfirmed})`,
    [
      ...[commissionIds, scope.workspaceId, scope.mode, program.id],
      ...[requireMethod, requireConfirmed],
    ],
  );
  const without = new Set(rows.map(({ id }) => id));
  return { ...filter, commissionIds: commissionIds.filter((id) => !without.has(id)) };
}
