import type { Commission } from '../entities/commission.entity';

/** Property -> column of a commission. Generated columns are read and never written. */
const written = {
  id: 'id',
  workspaceId: 'workspace_id',
  mode: 'mode',
  programId: 'program_id',
  participantId: 'participant_id',
  conversionId: 'conversion_id',
  externalTransactionId: 'external_transaction_id',
  status: 'status',
  statusBeforeRefund: 'status_before_refund',
  commissionType: 'commission_type',
  amountCents: 'amount_cents',
  originalAmountCents: 'original_amount_cents',
  heldCents: 'held_cents',
  owedCents: 'owed_cents',
  reservedCents: 'reserved_cents',
  currency: 'currency',
  conversionAmountCents: 'conversion_amount_cents',
  feeCents: 'fee_cents',
  terms: 'terms',
  autoApprove: 'auto_approve',
  reviewReasons: 'review_reasons',
  holdUntil: 'hold_until',
  holdElapsed: 'hold_elapsed',
  rejectionReason: 'rejection_reason',
  overrideReason: 'override_reason',
  decidedByType: 'decided_by_type',
  decidedById: 'decided_by_id',
  approvedAt: 'approved_at',
  rejectedAt: 'rejected_at',
  paidAt: 'paid_at',
  refundedAt: 'refunded_at',
  payoutId: 'payout_id',
  version: 'version',
  createdAt: 'created_at',
  updatedAt: 'updated_at',
} as const satisfies Partial<Record<keyof Commission, string>>;

const generated = {
  refundedAmountCents: 'refunded_amount_cents',
  needsReview: 'needs_review',
} as const satisfies Partial<Record<keyof Commission, string>>;

const fixed: ReadonlySet<string> = new Set([
  'id',
  'workspace_id',
  'mode',
  'program_id',
  'participant_id',
  'conversion_id',
  'external_transaction_id',
  'commission_type',
  'currency',
  'conversion_amount_cents',
  'terms',
  'auto_approve',
  'created_at',
]);

export const writtenColumns: readonly string[] = Object.values(written);
export const mutableColumns = writtenColumns.filter((column) => !fixed.has(column));

/** Select list of the table under this alias, with the names of the entity's properties. */
export function commissionColumns(alias: string): string {
  return Object.entries({ ...written, ...generated })
    .map(([property, column]) => `${alias}.${column} AS "${property}"`)
    .join(', ');
}

const writtenEntries = Object.entries(written) as [keyof typeof written, string][];

/** The commission as a row for json_populate_recordset. */
export function commissionRow(commission: Commission): Record<string, unknown> {
  const row: Record<string, unknown> = {};
  for (const [property, column] of writtenEntries) row[column] = commission[property];
  return row;
}
