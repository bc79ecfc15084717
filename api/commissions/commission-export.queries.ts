import { conditionOf, type Condition, type CommissionSelection } from './commission-selection';

/** Column -> what is written, as text made by the server. */
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

/** An instant as JSON writes it: ISO 8601, UTC, milliseconds. */
function instant(column: string): string {
  return `to_char(${column} AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;
}

const isAmount = exportColumns.map((column) => column.endsWith('Cents'));

/** The cells of a row of `exportPage`; a negative number is no formula, as text it would be one. */
export function cellsOf([, list]: readonly (string | null)[]): (string | number | null)[] {
  const cells = JSON.parse(list ?? '[]') as (string | null)[];
  return cells.map((cell, i) => (isAmount[i] && cell !== null ? Number(cell) : cell));
}

/**
 * The export: the selection of a list, newest first, in parts that follow each other by id. Of each
 * row its id, and its cells as one value: the driver takes longer for a value than for its length.
 */
export function exportPage(
  selection: CommissionSelection,
  after: string | null,
  limit: number,
): Condition {
  const { programIds } = selection;
  const isOfOne = programIds.length === 1;
  const { text, params } = isOfOne ? conditionOf(selection) : conditionOf(selection, 'program.id');
  const place = (value: unknown): string => `$${params.push(value)}`;
  const follows = after === null ? 'true' : `c.id < ${place(after)}::uuid`;
  const most = place(limit);
  // Each of several programmes gives its newest, by its own index.
  const rows = isOfOne
    ? `commissions AS c`
    : `(SELECT newest.id
          FROM unnest(${place(programIds)}::uuid[]) AS program (id)
         CROSS JOIN LATERAL (
           SELECT c.id FROM commissions AS c WHERE ${text} AND ${follows}
            ORDER BY c.id DESC LIMIT ${most}) AS newest
         ORDER BY newest.id DESC LIMIT ${most}) AS page
       JOIN commissions AS c ON c.id = page.id`;
  return {
    text: `SELECT c.id::text, array_to_json(ARRAY[${Object.values(cells).join(', ')}]::text[])::text
             FROM ${rows}
             JOIN participants AS p ON p.id = c.participant_id
             JOIN programs AS g ON g.id = c.program_id
            ${isOfOne ? `WHERE ${text} AND ${follows}` : ''}
            ORDER BY c.id DESC LIMIT ${most}`,
    params,
  };
}
