import { previewPayout } from '../../../activities/payouts/preview';
import { balancesOf, listPartnerPayouts } from '../../../api/payouts/payouts.queries';
import { presentPartnerPayout } from '../../../api/payouts/payouts.dto';
import { query, type Db } from '../../../entities/database/sql';
import { payableUnitOf } from '../../../entities/rules/values/currency';
import type { BuiltParticipant } from '../build/programs';

interface Booked {
  id: string;
  status: string;
  amountCents: number;
  heldCents: number;
  owedCents: number;
  reservedCents: number;
  ledgerCents: number;
  /** What items that are paid took of it, and those that are ready. */
  paidCents: number;
  readyCents: number;
  /** Statuses of the items of its own payout that have it. */
  own: string | null;
  payoutId: string | null;
  isPaidAt: boolean;
}

/**
 * Whatever happened: the row, the ledger and the items of each commission say the same, and it is in
 * no payout that is not its own.
 */
export async function expectSoundCommissions(db: Db, { id }: BuiltParticipant): Promise<void> {
  for (const one of await bookedOf(db, id)) {
    const due = one.status === 'rejected' ? 0 : one.amountCents - one.heldCents;
    expect({ of: one.id, owed: one.owedCents, reserved: one.reservedCents }).toEqual({
      of: one.id,
      owed: due - one.paidCents,
      reserved: one.readyCents,
    });
    expect(one.ledgerCents).toBe(one.owedCents);
    expect(one.isPaidAt).toBe(one.payoutId !== null && one.own === 'paid');
    if (one.status === 'paid') expect(one.own).toBe('paid');
    if (one.status === 'approved') expect([null, 'ready']).toContain(one.own);
  }
}

function bookedOf(db: Db, participantId: string): Promise<Booked[]> {
  const taken = (status: string) =>
    `(SELECT coalesce(sum(l.amount_cents), 0)::bigint FROM payout_lines AS l
        JOIN payout_items AS i ON i.id = l.item_id
       WHERE l.commission_id = c.id AND i.status = '${status}')`;
  return query<Booked>(
    db,
    `SELECT c.id, c.status, c.amount_cents AS "amountCents", c.held_cents AS "heldCents",
            c.owed_cents AS "owedCents", c.reserved_cents AS "reservedCents",
            (SELECT coalesce(sum(e.amount_cents), 0)::bigint FROM ledger_entries AS e
              WHERE e.commission_id = c.id) AS "ledgerCents",
            ${taken('paid')} AS "paidCents", ${taken('ready')} AS "readyCents",
            (SELECT i.status FROM payout_lines AS l JOIN payout_items AS i ON i.id = l.item_id
              WHERE l.commission_id = c.id AND l.payout_id = c.payout_id) AS own,
            c.payout_id AS "payoutId", c.paid_at IS NOT NULL AS "isPaidAt"
       FROM commissions AS c WHERE c.participant_id = $1`,
    [participantId],
  );
}

/** Balances are what the ledger, the partner's list of payouts and a preview of the next one say. */
export async function expectSoundBalance(
  db: Db,
  participant: BuiltParticipant,
  currency: string,
): Promise<void> {
  const [balance = nothing] = await balancesOf(db, [participant.id]);
  const [ledger] = await query<{ owed: number; paid: number }>(
    db,
    `SELECT coalesce(sum(amount_cents), 0)::bigint AS owed,
            coalesce(-sum(amount_cents) FILTER (WHERE type IN ('payout', 'payout_reversal')),
              0)::bigint AS paid
       FROM ledger_entries WHERE participant_id = $1`,
    [participant.id],
  );
  const { pendingCents, approvedCents, inPayoutCents, paidCents, debtCents } = balance;
  expect({
    owed: pendingCents + approvedCents + inPayoutCents - debtCents,
    paid: paidCents,
  }).toEqual(ledger);
  expect(approvedCents).toBeGreaterThanOrEqual(0);
  expect(debtCents).toBeGreaterThanOrEqual(0);

  const { rows } = await listPartnerPayouts(db, [participant.id], { page: 1, limit: 100 });
  const listed = (status: string) =>
    rows
      .map(presentPartnerPayout)
      .filter((row) => row.status === status)
      .reduce((sum, { amountCents }) => sum + amountCents, 0);
  expect({ processing: listed('processing'), completed: listed('completed') }).toEqual({
    processing: inPayoutCents,
    completed: paidCents,
  });

  const scope = { workspaceId: participant.workspaceId, mode: participant.mode };
  const program = { id: participant.programId, currency, minPayoutCents: 0 };
  const { totals } = await previewPayout(db, scope, { program });
  const due = Math.max(0, approvedCents - debtCents);
  const payable = due - (due % payableUnitOf(currency));
  expect(totals).toEqual(payable > 0 ? [{ currency, amountCents: payable }] : []);
}

const nothing = { pendingCents: 0, approvedCents: 0, inPayoutCents: 0, paidCents: 0, debtCents: 0 };

/**
 * The events of each item end in what it is, and none comes twice in a row. Payments are told once
 * nothing of their payout is under way.
 */
export async function expectToldOnce(db: Db, { id }: BuiltParticipant): Promise<void> {
  const rows = await query<{ status: string; payoutStatus: string; told: string[] }>(
    db,
    `SELECT i.status, o.status AS "payoutStatus", coalesce((
              SELECT json_agg(t->>'status' ORDER BY e.seq)
                FROM events AS e, json_array_elements(e.object->'items') AS t
               WHERE e.object_id = o.id AND t->>'id' = i.id::text
                 AND CASE e.type WHEN 'payout.completed' THEN t->>'status' = 'paid'
                       ELSE e.type IN ('payout.cancelled', 'payout.item_returned') END),
              '[]') AS told
       FROM payout_items AS i JOIN payouts AS o ON o.id = i.payout_id WHERE i.participant_id = $1`,
    [id],
  );
  for (const { status, payoutStatus, told } of rows) {
    for (const [at, one] of told.entries()) expect(one).not.toBe(told[at - 1]);
    if (status !== 'ready' && payoutStatus !== 'processing') expect(told.at(-1)).toBe(status);
  }
}
