import type { CommissionRecord } from '../../activities/commissions/records';
import type { BulkResult } from '../../activities/commissions/decide';
import { AppError, errorRegistry } from '../../entities/errors';
import { commissionStatuses, isHoldActive } from '../../entities/rules/commissions/status';
import type {
  BulkItemDto,
  BulkResultDto,
  CommissionAmountDto,
  CommissionStatsDto,
  StatusBreakdownDto,
} from './commission-answers.dto';
import type { StatsRow } from './commission-stats.queries';
import type { CommissionTrail } from './commission-trail.queries';
import type {
  CommissionDetailDto,
  CommissionDto,
  LedgerEntryDto,
  PartnerCommissionDetailDto,
  PartnerCommissionDto,
} from './commissions.dto';

const instant = (date: Date | null): string | null => date?.toISOString() ?? null;

/** Only what a partner may see: no buyer, no transaction id, nothing of how it was decided. */
export function presentPartnerCommission(row: CommissionRecord, now: Date): PartnerCommissionDto {
  return {
    id: row.id,
    programId: row.programId,
    programName: row.programName,
    participantId: row.participantId,
    partnerName: row.partnerName,
    conversionId: row.conversionId,
    status: row.status,
    commissionType: row.commissionType,
    amountCents: row.amountCents,
    originalAmountCents: row.originalAmountCents,
    adjustmentReason: row.adjustmentReason,
    refundedAmountCents: row.refundedAmountCents,
    currency: row.currency,
    conversionAmountCents: row.conversionAmountCents,
    feeCents: row.feeCents,
    terms: row.terms,
    needsReview: row.needsReview,
    holdUntil: instant(row.holdUntil),
    holdActive: isHoldActive(row, now),
    rejectionReason: row.rejectionReason,
    approvedAt: instant(row.approvedAt),
    rejectedAt: instant(row.rejectedAt),
    paidAt: instant(row.paidAt),
    refundedAt: instant(row.refundedAt),
    payoutId: row.payoutId,
    createdAt: row.createdAt.toISOString(),
    updatedAt: row.updatedAt.toISOString(),
  };
}

export function presentCommission(row: CommissionRecord, now: Date): CommissionDto {
  return {
    ...presentPartnerCommission(row, now),
    externalTransactionId: row.externalTransactionId,
    reviewReasons: row.reviewReasons,
    overrideReason: row.overrideReason,
    decidedBy: row.decidedByType && { type: row.decidedByType, id: row.decidedById },
  };
}

function presentLedger(trail: CommissionTrail): LedgerEntryDto[] {
  return trail.ledger.map((entry) => ({
    id: entry.id,
    type: entry.type,
    amountCents: entry.amountCents,
    currency: entry.currency,
    createdAt: entry.createdAt.toISOString(),
  }));
}

/** Who decided, and why it was let through early, is not told to partners. */
export function presentPartnerCommissionDetail(
  row: CommissionRecord,
  trail: CommissionTrail,
  now: Date,
): PartnerCommissionDetailDto {
  return {
    ...presentPartnerCommission(row, now),
    history: trail.history.map((entry) => ({
      from: entry.fromStatus,
      to: entry.toStatus,
      trigger: entry.trigger,
      reason: entry.toStatus === 'rejected' ? entry.reason : null,
      at: entry.at.toISOString(),
    })),
    ledger: presentLedger(trail),
  };
}

export function presentCommissionDetail(
  row: CommissionRecord,
  trail: CommissionTrail,
  now: Date,
): CommissionDetailDto {
  return {
    ...presentCommission(row, now),
    history: trail.history.map((entry) => ({
      from: entry.fromStatus,
      to: entry.toStatus,
      trigger: entry.trigger,
      actor: { type: entry.actorType, id: entry.actorId },
      reason: entry.reason,
      at: entry.at.toISOString(),
    })),
    ledger: presentLedger(trail),
  };
}

export function presentStats(rows: readonly StatsRow[]): CommissionStatsDto {
  const sumOf = (list: readonly StatsRow[], key: 'commissions' | 'needsReview'): number =>
    list.reduce((sum, row) => sum + row[key], 0);
  const byStatus = Object.fromEntries(
    commissionStatuses.map((status) => {
      const own = rows.filter((row) => row.status === status);
      return [status, { count: sumOf(own, 'commissions'), amounts: amountsOf(own) }];
    }),
  );
  return {
    count: sumOf(rows, 'commissions'),
    needsReviewCount: sumOf(rows, 'needsReview'),
    byStatus: byStatus as unknown as StatusBreakdownDto,
    totals: amountsOf(rows),
  };
}

function amountsOf(rows: readonly StatsRow[]): CommissionAmountDto[] {
  const sums = new Map<string, number>();
  for (const row of rows) {
    const sum = (sums.get(row.currency) ?? 0) + row.amountCents;
    if (!Number.isSafeInteger(sum)) throw new AppError('AMOUNT_TOO_LARGE');
    sums.set(row.currency, sum);
  }
  return [...sums].map(([currency, amountCents]) => ({ currency, amountCents }));
}

export function presentBulk(results: readonly BulkResult[]): BulkResultDto {
  const items = results.map(presentBulkItem);
  const succeeded = items.filter((item) => item.ok).length;
  return { succeeded, failed: items.length - succeeded, results: items };
}

function presentBulkItem({ commissionId, status, code }: BulkResult): BulkItemDto {
  const after = { commissionId, ok: code === undefined, ...(status ? { status } : {}) };
  return code === undefined ? after : { ...after, code, message: errorRegistry[code].message };
}
