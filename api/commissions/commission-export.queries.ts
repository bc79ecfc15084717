import type { Condition, CommissionSelection } from './commission-selection';
import { conditionOf } from './commission-selection';

/** Column -> what is written, as text made by the server: the quickest way from there to the file. */
const cells = {
  id: 'c.id::text',
  createdAt: instant('c.created_at'),
  status: 'c.status',
  programName: 'g.name',
  partnerName: 'p.partner_name',
  commissionType: 'c.commission_type',
  amountCents: 'c.amount_cents::text',
  currency: 'c.currency',
  conversionAmountCents: 'c.conversion_amount_cents::text',
  externalTransactionId: 'c.external_transaction_id',
  needsReview: 'c.needs_review::text',
  reviewReasons: "array_to_string(c.review_reasons, ' ')",
  holdUntil: instant('c.hold_until'),
  approvedAt: instant('c.approved_at'),
  rejectedAt: instant('c.rejected_at'),
  paidAt: instant('c.paid_at'),
  refundedAt: instant('c.refunded_at'),
  rejectionReason: 'c.rejection_reason',
} as const;

export const exportColumns: readonly string[] = Object.keys(cells);

/** As JSON writes it: ISO 8601, UTC, milliseconds. */
function instant(column: string): string {
  return `to_char(${column} AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;
}

/** The statement of the export: the selection of a list without its pages, newest first. */
export function exportStatement(selection: CommissionSelection): Condition {
  const { text, params } = conditionOf(selection);
  return {
    text: `SELECT ${Object.values(cells).join(', ')}
             FROM commissions AS c
             JOIN participants AS p ON p.id = c.participant_id
             JOIN programs AS g ON g.id = c.program_id
            WHERE ${text} ORDER BY c.id DESC`,
    params,
  };
}
