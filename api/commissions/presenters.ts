import type { CommissionRecord } from '../../activities/commissions/records';
import type { BulkResult } from '../../activities/commissions/decide';
import { AppError, errorRegistry } from '../../entities/errors';
import type { PinnedTerms } from '../../entities/rules/commissions/amount';
import { isHoldActive, type CommissionStatus } from '../../entities/rules/commissions/status';
import type { CommissionHistory } from '../../entities/tables/commissions/commission-history.entity';
import { present } from '../http/contract/present';
import type {
  BulkItemDto,
  BulkResultDto,
  CommissionAmountDto,
  CommissionStatsDto,
  StatusStatsDto,
} from './commission-answers.dto';
import type { StatsRow } from './commission-stats.queries';
import type { CommissionTrail } from './commission-trail.queries';
import {
  CommissionDto,
  LedgerEntryDto,
  PartnerCommissionDto,
  PinnedTermsDto,
  type CommissionDetailDto,
  type PartnerCommissionDetailDto,
} from './commissions.dto';

/** The part of a commission that a partner may see: no buyer, no transaction id, nothing of how it was decided. */
export function presentPartnerCommission(row: CommissionRecord, now: Date): PartnerCommissionDto {
  const known = presentTerms(row);
  const terms = known && { ...known, groupId: null };
  const holdActive = isHoldActive(row, now);
  return present(PartnerCommissionDto, { ...row, terms, holdActive });
}

export function presentCommission(row: CommissionRecord, now: Date): CommissionDto {
  const decidedBy = row.decidedByType && { type: row.decidedByType, id: row.decidedById };
  const terms = presentTerms(row);
  return present(CommissionDto, { ...row, terms, holdActive: isHoldActive(row, now), decidedBy });
}

/** An earlier release pinned less. By what the system before an import came to its sum is not known. */
function presentTerms({ commissionType, terms }: CommissionRecord): PinnedTermsDto | null {
  if (commissionType === 'imported') return null;
  const pinned: Partial<PinnedTerms> = terms;
  const { source = null, name = null, groupId = null, groupName = null } = pinned;
  const { customerMonth = null, paymentNumber = null } = pinned;
  const ranked = { customerMonth, paymentNumber };
  const { rule, ...rest } = terms;
  return present(PinnedTermsDto, { rule, ...rest, source, name, groupId, groupName, ...ranked });
}

/** Who decided, and why it was let through early, is not told to partners. */
export function presentPartnerCommissionDetail(
  row: CommissionRecord,
  { history, ledger }: CommissionTrail,
  now: Date,
): PartnerCommissionDetailDto {
  return {
    ...presentPartnerCommission(row, now),
    history: history.map((entry) => ({
      ...moveOf(entry),
      reason: entry.toStatus === 'rejected' ? entry.reason : null,
    })),
    ledger: ledger.map((entry) => present(LedgerEntryDto, entry)),
  };
}

export function presentCommissionDetail(
  row: CommissionRecord,
  { history, ledger }: CommissionTrail,
  now: Date,
): CommissionDetailDto {
  return {
    ...presentCommission(row, now),
    history: history.map((entry) => ({
      ...moveOf(entry),
      actor: { type: entry.actorType, id: entry.actorId },
      reason: entry.reason,
    })),
    ledger: ledger.map((entry) => present(LedgerEntryDto, entry)),
  };
}

function moveOf({ fromStatus: from, toStatus: to, trigger, at }: CommissionHistory) {
  return { from, to, trigger, at: at.toISOString() };
}

export function presentStats(rows: readonly StatsRow[]): CommissionStatsDto {
  const sumOf = (list: readonly StatsRow[], key: 'commissions' | 'needsReview'): number =>
    list.reduce((sum, row) => sum + row[key], 0);
  const of = (status: CommissionStatus): StatusStatsDto => {
    const own = rows.filter((row) => row.status === status);
    return { count: sumOf(own, 'commissions'), amounts: amountsOf(own) };
  };
  return {
    count: sumOf(rows, 'commissions'),
    needsReviewCount: sumOf(rows, 'needsReview'),
    byStatus: {
      pending: of('pending'),
      approved: of('approved'),
      rejected: of('rejected'),
      paid: of('paid'),
      refunded: of('refunded'),
    },
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
