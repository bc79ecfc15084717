import { insertAll } from '../../../entities/database/insert-all';
import { query } from '../../../entities/database/sql';
import { Commission } from '../../../entities/tables/commissions/commission.entity';
import { CommissionHistory } from '../../../entities/tables/commissions/commission-history.entity';
import { LedgerEntry } from '../../../entities/tables/commissions/ledger-entry.entity';
import type { ImportRow } from '../../../entities/tables/imports/import-row.entity';
import { OutboxRow } from '../../../entities/tables/journal/outbox-row.entity';
import { beginChange, type CommissionChange } from '../../commissions/commission-change';
import { findCommissions, isInPayout } from '../../commissions/records';
import { changeRows, writeChanges } from '../../commissions/write';
import { problemOf } from '../../../entities/rules/imports/problems';
import type { ToldFacts } from '../../../entities/rules/imports/stored';
import {
  commissionOf,
  judgeCommissions,
  toldOf,
  type CommissionVerdict,
} from '../judge/commissions';
import type { Judged } from '../judge/verdict';
import { keepRecords, type Booked, type Booking } from './booking';
import {
  lockSales,
  makeConversions,
  namesOf,
  settleTaken,
  takeConversions,
  type SaleToTake,
} from './conversions';
import { holdPartners } from './hold-partners';
import { planImported, planRetold } from './plan';

interface Wanted {
  row: ImportRow;
  participantId: string;
  verdict: CommissionVerdict;
}

/** Books what was earned over there: open as open, paid as paid elsewhere, each of a sale once. */
export async function bookCommissions(
  booking: Booking,
  rows: readonly ImportRow[],
): Promise<Judged<CommissionVerdict>[]> {
  const { tx, held } = booking;
  await lockSales(booking, rows);
  await holdPartners(
    booking,
    rows.filter((row) => commissionOf(row).note !== null),
  );
  const judged = await judgeCommissions(tx, held, { rows, phase: 'apply' });
  const wanted = (outcome: 'new' | 'changed'): Wanted[] =>
    judged.flatMap(({ row, verdict }) =>
      'outcome' in verdict && verdict.outcome === outcome && verdict.participantId !== null
        ? [{ row, participantId: verdict.participantId, verdict }]
        : [],
    );
  await makeCommissions(booking, wanted('new'));
  const conflicts = await moveCommissions(booking, wanted('changed'));
  return judged.map((one) =>
    conflicts.has(one.row.n) ? { ...one, verdict: { problem: problemOf('CONFLICT') } } : one,
  );
}

async function makeCommissions(booking: Booking, wanted: readonly Wanted[]): Promise<void> {
  if (wanted.length === 0) return;
  const own = onePerSale(wanted);
  const names = await namesOf(
    booking,
    wanted.map(({ row }) => row),
  );
  const made = await makeConversions(booking, {
    sales: wanted.filter((one) => one.verdict.conversion === 'own' && own.has(one.row.n)),
    names,
  });
  const taken = wanted.flatMap((one): SaleToTake[] => {
    const { conversion } = one.verdict;
    return conversion !== null && conversion !== 'own' && own.has(one.row.n)
      ? [{ ...one, conversionId: conversion.id }]
      : [];
  });
  await takeConversions(booking, taken);
  const conversions = new Map([
    ...made,
    ...taken.map(({ row, conversionId }) => [row.n, conversionId] as const),
  ]);
  const approved = await approvedAmong(booking, wanted);
  const changes = wanted.map(({ row, participantId }) =>
    planImported(booking, {
      row,
      participantId,
      isApprovedPartner: approved.has(participantId),
      conversionId: conversions.get(row.n) ?? null,
      externalTransactionId: names.get(row.n)?.[0] ?? null,
    }),
  );
  await insertChanges(booking, changes);
  const booked = wanted.map(({ row }, index): Booked => {
    const commission = changes[index]?.commission;
    if (!commission) throw new Error('a commission without a plan');
    return {
      row,
      recordId: commission.id,
      besideId: made.get(row.n) ?? null,
      made: true,
      told: factsOf(row),
    };
  });
  await keepRecords(booking, 'commissions', booked);
  await settleTaken(booking, taken);
}

/** What a repeat is compared with, and when it was earned, which a commission without a sale says nowhere else. */
function factsOf(row: ImportRow): ToldFacts {
  return { ...toldOf(row), occurredAt: commissionOf(row).occurredAt };
}

/** The first of a batch's rows that share a sale's id has it; one below nothing has none. */
function onePerSale(wanted: readonly Wanted[]): Set<number> {
  const seen = new Set<string>();
  const own = new Set<number>();
  for (const { row, verdict } of wanted) {
    if (verdict.conversion === null || toldOf(row).amountCents < 0) continue;
    const { saleIds } = commissionOf(row);
    if (saleIds.some((id) => seen.has(id))) continue;
    for (const id of saleIds) seen.add(id);
    own.add(row.n);
  }
  return own;
}

async function approvedAmong({ tx }: Booking, wanted: readonly Wanted[]): Promise<Set<string>> {
  const rows = await query<{ id: string }>(
    tx,
    `SELECT id FROM participants
      WHERE id = ANY ($1::uuid[]) AND status = 'approved' AND erased_at IS NULL`,
    [[...new Set(wanted.map(({ participantId }) => participantId))]],
  );
  return new Set(rows.map(({ id }) => id));
}

/**
 * Inserts commissions with their ledger and history, and starts a workflow for each that waits;
 * nothing is announced.
 */
async function insertChanges({ tx }: Booking, changes: readonly CommissionChange[]): Promise<void> {
  const { commissions, history, ledger, signals } = changeRows(changes);
  await insertAll(tx, {
    into: Commission,
    rows: commissions.map(({ refundedAmountCents: _generated, needsReview: _too, ...row }) => row),
  });
  await insertAll(tx, { into: CommissionHistory, rows: history });
  await insertAll(tx, { into: LedgerEntry, rows: ledger });
  await insertAll(tx, { into: OutboxRow, rows: signals });
}

/** Theirs that was open is paid or void by now; rows whose own has moved meanwhile are left, and told. */
async function moveCommissions(booking: Booking, wanted: readonly Wanted[]): Promise<Set<number>> {
  if (wanted.length === 0) return new Set();
  const { tx, held, context } = booking;
  const rows = new Map(wanted.map(({ row, verdict }) => [verdict.commissionId, row]));
  const found = await findCommissions(tx, {
    scope: context.scope,
    programId: held.programId,
    commissionIds: [...rows.keys()].filter((id) => id !== null),
  });
  const changes: CommissionChange[] = [];
  for (const record of found) {
    const row = rows.get(record.id);
    const isOpen = record.status === 'pending' || record.status === 'approved';
    if (!row || !isOpen || isInPayout(record)) continue;
    changes.push(planRetold(beginChange(record, context), row));
  }
  const { written } = await writeChanges(tx, changes);
  const moved = wanted.filter(({ verdict }) => written.has(verdict.commissionId ?? ''));
  await keepRecords(
    booking,
    'commissions',
    moved.map(({ row, verdict }) => ({
      row,
      recordId: verdict.commissionId ?? '',
      made: false,
      told: factsOf(row),
    })),
  );
  const done = new Set(moved.map(({ row }) => row.n));
  return new Set(wanted.map(({ row }) => row.n).filter((n) => !done.has(n)));
}
