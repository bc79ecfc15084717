/**
 * Commissions under `c` that were paid too much or too little, by a refund after the payment or one
 * that came back, adjustments to the partner's debit, and debts that were written off. They are netted
 * from the partner's next payout; ix_commissions_netted has them.
 */
export const isCarried = `c.owed_cents <> c.reserved_cents
  AND (c.status IN ('paid', 'refunded', 'rejected') OR c.payout_id IS NOT NULL
    OR c.amount_cents < 0 OR c.adjustment_kind = 'write_off')`;
