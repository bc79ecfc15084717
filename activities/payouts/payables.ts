import type { Scope } from '../../entities/rules/values/mode';
import { choosePayables, type DueSum, type Payable } from '../../entities/rules/payouts/plan';
import { wholeUnitCurrencies } from '../../entities/rules/values/currency';
import { query, queryOne, type Tx } from '../../entities/database/sql';

/** What is owed for a participation that was erased stays payable while its account lives. */
const hasPayee = `(p.erased_at IS NULL OR EXISTS (
  SELECT 1 FROM partner_accounts AS a WHERE a.id = p.partner_id AND a.erased_at IS NULL))`;

/** Commissions under `c` that a new payout may take: approved, in no payout, undisputed, a payee. */
const isPayable = `c.status = 'approved' AND c.payout_id IS NULL
  AND NOT ('DISPUTED' = ANY(c.review_reasons)) AND ${hasPayee}`;

/**
 * Commissions under `c` that were paid too much or too little: a refund after the payment, or one
 * that came back. Their difference is netted from the partner's next payout.
 */
export const isCarried = `c.owed_cents <> c.reserved_cents
  AND (c.status IN ('paid', 'refunded', 'rejected') OR c.payout_id IS NOT NULL)`;

export interface PayableFilter {
  program: { id: string; currency: string; minPayoutCents: number };
  /**
   * Narrows what is payable; debts of the partners concerned are netted all the same. Without it:
   * the oldest approved ones of partners who are not suspended.
   */
  commissionIds?: readonly string[] | undefined;
}

/** One payout is one transaction, one record and one file for the bank. */
const maxCommissions = 10_000;

export interface LockedPayables {
  payables: Payable[];
  /** All that their partners carry is among them; else `withinBounds` has to choose. */
  isWhole: boolean;
}

/**
 * What a payout could take, under row locks in the order of the ids: payable commissions, the oldest
 * first, and what their partners carry in the same currency.
 */
export async function lockPayables(
  tx: Tx,
  scope: Scope,
  filter: PayableFilter,
): Promise<LockedPayables> {
  const { ids, isWhole } = await candidatesOf(tx, scope, filter);
  await holdParticipants(tx, ids);
  // Judged again under the lock: a rival may have changed a row while we waited for it.
  const payables = await query<Payable>(
    tx,
    `SELECT c.id AS "commissionId", c.participant_id AS "participantId", c.currency,
            c.owed_cents - c.reserved_cents AS "amountCents", (${isPayable}) AS "isPayable"
       FROM commissions AS c JOIN participants AS p ON p.id = c.participant_id
      WHERE c.id = ANY($1) AND c.workspace_id = $2 AND c.mode = $3
        AND ((${isPayable}) OR (${hasPayee} AND ${isCarried}))
      ORDER BY c.id FOR UPDATE OF c`,
    [ids, scope.workspaceId, scope.mode],
  );
  return { payables, isWhole };
}

/** What one payout takes of more than it can hold, by what is due now that the rows are locked. */
export async function withinBounds(
  tx: Tx,
  scope: Scope,
  { payables, program, commissionIds }: PayableFilter & { payables: Payable[] },
): Promise<Payable[]> {
  const due = await query<DueSum>(
    tx,
    `WITH ${dueGroups}
     SELECT participant_id AS "participantId", currency,
            least(cents, ${Number.MAX_SAFE_INTEGER})::bigint AS "dueCents" FROM due`,
    paramsOf(scope, { program, commissionIds }),
  );
  return choosePayables(payables, { max: maxCommissions, min: program, due });
}

/** An erasure locks its participants: it has committed by now, or waits until we have. */
async function holdParticipants(tx: Tx, commissionIds: readonly string[]): Promise<void> {
  await query(
    tx,
    `SELECT 1 FROM participants
      WHERE id IN (SELECT participant_id FROM commissions WHERE id = ANY($1))
      ORDER BY id FOR KEY SHARE`,
    [commissionIds],
  );
}

/** Of a payout that names no commissions. */
const isPaidUnnamed = `p.status <> 'suspended'`;

/** How many commissions the next payout without names could take. */
export async function countPayable(
  tx: Tx,
  scope: Scope,
  { program }: PayableFilter,
): Promise<number> {
  const row = await queryOne<{ count: number }>(
    tx,
    `WITH ${dueGroups} SELECT count(*) AS count FROM payable JOIN due USING (participant_id, currency)`,
    paramsOf(scope, { program }),
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
      WHERE c.workspace_id = $1 AND c.mode = $2 AND c.program_id = $3 AND ${isPayable}
        AND CASE WHEN $4::uuid[] IS NULL THEN ${isPaidUnnamed} ELSE c.id = ANY($4) END),
   carried AS (
     SELECT c.id, c.participant_id, c.currency, c.owed_cents - c.reserved_cents AS cents
       FROM commissions AS c JOIN participants AS p ON p.id = c.participant_id
      WHERE c.workspace_id = $1 AND c.mode = $2 AND c.program_id = $3
        AND ${hasPayee} AND ${isCarried} AND ($4::uuid[] IS NOT NULL OR ${isPaidUnnamed})),
   due AS (
     SELECT participant_id, currency, sum(cents) AS cents
       FROM (SELECT * FROM payable UNION ALL SELECT * FROM carried) AS taken
      GROUP BY participant_id, currency
     HAVING sum(cents) >= CASE WHEN currency IN (${wholeUnits}) THEN 100 ELSE 1 END
        AND (currency <> $5 OR sum(cents) >= $6))`;

function paramsOf(scope: Scope, { program, commissionIds }: PayableFilter): unknown[] {
  const { id, currency, minPayoutCents } = program;
  return [scope.workspaceId, scope.mode, id, commissionIds ?? null, currency, minPayoutCents];
}

/**
 * Named ones are all looked at, so that the one that cannot be paid is found. When there are more
 * debts than fit, each partner's largest are taken first, a share of everybody's.
 */
async function candidatesOf(
  tx: Tx,
  scope: Scope,
  filter: PayableFilter,
): Promise<{ ids: string[]; isWhole: boolean }> {
  const rows = await query<{ id: string; pays: boolean }>(
    tx,
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
