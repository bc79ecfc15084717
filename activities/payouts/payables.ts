import type { Scope } from '../../entities/rules/values/mode';
import type { Payable } from '../../entities/rules/payouts/plan';
import { query, type Tx } from '../../entities/database/sql';

/** Commissions under `c` that a new payout may take: approved, in no payout, undisputed, a partner. */
const isPayable = `c.status = 'approved' AND c.payout_id IS NULL
  AND NOT ('DISPUTED' = ANY(c.review_reasons)) AND p.erased_at IS NULL`;

/**
 * Commissions under `c` that were paid too much or too little: a refund after the payment, or one
 * that came back. Their difference is netted from the partner's next payout.
 */
export const isCarried = `c.owed_cents <> c.reserved_cents
  AND (c.status IN ('paid', 'refunded', 'rejected') OR c.payout_id IS NOT NULL)`;

export interface PayableFilter {
  scope: Scope;
  programId: string;
  /** Narrows what is payable; debts of the partners concerned are netted all the same. */
  commissionIds?: readonly string[] | undefined;
}

/**
 * What a payout could take, under row locks in the order of the ids: payable commissions, and what
 * their partners carry in the same currency.
 */
export async function lockPayables(tx: Tx, filter: PayableFilter): Promise<Payable[]> {
  const ids = await candidateIds(tx, filter);
  await holdParticipants(tx, ids);
  // Judged again under the lock: a rival may have changed a row while we waited for it.
  return query<Payable>(
    tx,
    `SELECT c.id AS "commissionId", c.participant_id AS "participantId", c.currency,
            c.owed_cents - c.reserved_cents AS "amountCents"
       FROM commissions AS c JOIN participants AS p ON p.id = c.participant_id
      WHERE c.id = ANY($1) AND ((${isPayable}) OR (p.erased_at IS NULL AND ${isCarried}))
      ORDER BY c.id FOR UPDATE OF c`,
    [ids],
  );
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

async function candidateIds(tx: Tx, filter: PayableFilter): Promise<string[]> {
  const rows = await query<{ id: string }>(
    tx,
    `WITH payable AS (
       SELECT c.id, c.participant_id, c.currency
         FROM commissions AS c JOIN participants AS p ON p.id = c.participant_id
        WHERE c.workspace_id = $1 AND c.mode = $2 AND c.program_id = $3 AND ${isPayable}
          AND ($4::uuid[] IS NULL OR c.id = ANY($4)))
     SELECT id FROM payable
     UNION
     SELECT c.id FROM commissions AS c JOIN participants AS p ON p.id = c.participant_id
      WHERE c.workspace_id = $1 AND c.mode = $2 AND c.program_id = $3
        AND p.erased_at IS NULL AND ${isCarried}
        AND ($4::uuid[] IS NULL OR EXISTS (SELECT 1 FROM payable AS o
             WHERE o.participant_id = c.participant_id AND o.currency = c.currency))`,
    [filter.scope.workspaceId, filter.scope.mode, filter.programId, filter.commissionIds ?? null],
  );
  return rows.map((row) => row.id);
}
