import type { Columns, ColumnType, Row } from '../../entities/database/bulk-rows';
import type { Commission } from '../../entities/tables/commissions/commission.entity';

/** Property -> column of a commission, with its type. Generated columns are read, never written. */
const written = {
  id: ['id', 'uuid'],
  workspaceId: ['workspace_id', 'uuid'],
  mode: ['mode', 'text'],
  programId: ['program_id', 'uuid'],
  participantId: ['participant_id', 'uuid'],
  conversionId: ['conversion_id', 'uuid'],
  externalTransactionId: ['external_transaction_id', 'text'],
  status: ['status', 'text'],
  statusBeforeRefund: ['status_before_refund', 'text'],
  commissionType: ['commission_type', 'text'],
  amountCents: ['amount_cents', 'bigint'],
  originalAmountCents: ['original_amount_cents', 'bigint'],
  heldCents: ['held_cents', 'bigint'],
  owedCents: ['owed_cents', 'bigint'],
  reservedCents: ['reserved_cents', 'bigint'],
  currency: ['currency', 'text'],
  conversionAmountCents: ['conversion_amount_cents', 'bigint'],
  feeCents: ['fee_cents', 'bigint'],
  terms: ['terms', 'jsonb'],
  autoApprove: ['auto_approve', 'boolean'],
  reviewReasons: ['review_reasons', 'text[]'],
  holdUntil: ['hold_until', 'timestamptz'],
  holdElapsed: ['hold_elapsed', 'boolean'],
  rejectionReason: ['rejection_reason', 'text'],
  overrideReason: ['override_reason', 'text'],
  decidedByType: ['decided_by_type', 'text'],
  decidedById: ['decided_by_id', 'uuid'],
  approvedAt: ['approved_at', 'timestamptz'],
  rejectedAt: ['rejected_at', 'timestamptz'],
  paidAt: ['paid_at', 'timestamptz'],
  refundedAt: ['refunded_at', 'timestamptz'],
  payoutId: ['payout_id', 'uuid'],
  version: ['version', 'int'],
  createdAt: ['created_at', 'timestamptz'],
  updatedAt: ['updated_at', 'timestamptz'],
} as const satisfies Partial<Record<keyof Commission, readonly [string, ColumnType]>>;

const generated = {
  refundedAmountCents: ['refunded_amount_cents'],
  needsReview: ['needs_review'],
} as const satisfies Partial<Record<keyof Commission, readonly [string]>>;

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

export const writtenColumns: Columns = Object.fromEntries(Object.values(written));
export const mutableColumns = Object.keys(writtenColumns).filter((column) => !fixed.has(column));

/** Select list of the table under this alias, with the names of the entity's properties. */
export function commissionColumns(alias: string): string {
  return Object.entries({ ...written, ...generated })
    .map(([property, [column]]) => `${alias}.${column} AS "${property}"`)
    .join(', ');
}

/** The commission as a row of its table. One literal: a loop over the names costs ten times as much. */
export function commissionRow(c: Commission): Row {
  return {
    id: c.id,
    workspace_id: c.workspaceId,
    mode: c.mode,
    program_id: c.programId,
    participant_id: c.participantId,
    conversion_id: c.conversionId,
    external_transaction_id: c.externalTransactionId,
    status: c.status,
    status_before_refund: c.statusBeforeRefund,
    commission_type: c.commissionType,
    amount_cents: c.amountCents,
    original_amount_cents: c.originalAmountCents,
    held_cents: c.heldCents,
    owed_cents: c.owedCents,
    reserved_cents: c.reservedCents,
    currency: c.currency,
    conversion_amount_cents: c.conversionAmountCents,
    fee_cents: c.feeCents,
    terms: c.terms,
    auto_approve: c.autoApprove,
    review_reasons: c.reviewReasons,
    hold_until: c.holdUntil,
    hold_elapsed: c.holdElapsed,
    rejection_reason: c.rejectionReason,
    override_reason: c.overrideReason,
    decided_by_type: c.decidedByType,
    decided_by_id: c.decidedById,
    approved_at: c.approvedAt,
    rejected_at: c.rejectedAt,
    paid_at: c.paidAt,
    refunded_at: c.refundedAt,
    payout_id: c.payoutId,
    version: c.version,
    created_at: c.createdAt,
    updated_at: c.updatedAt,
  };
}
