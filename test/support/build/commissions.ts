import {
  beginChange,
  withDecision,
  type CommissionChange,
} from '../../../activities/commissions/commission-change';
import { planCommission } from '../../../activities/commissions/plan';
import { findCommissions } from '../../../activities/commissions/records';
import type { CommissionRecord } from '../../../activities/commissions/records';
import { changeRows, commissionTables, writeChanges } from '../../../activities/commissions/write';
import { announcementsOf, journalTables } from '../../../activities/journal/rows';
import type { PayoutRecord } from '../../../activities/payouts/records';
import { completePayout } from '../../../activities/payouts/end-payout';
import { createPayout } from '../../../activities/payouts/payouts';
import { newId } from '../../../entities/ids';
import type { Participant } from '../../../entities/tables/partners/participant.entity';
import { Program } from '../../../entities/tables/programs/program.entity';
import { systemActor } from '../../../entities/rules/values/actor';
import { judgeTerms } from '../../../entities/rules/commissions/amount';
import type { PinnedTerms } from '../../../entities/rules/commissions/amount';
import { defaultGroupOf } from '../../../entities/rules/programs/groups';
import type { ReviewReason } from '../../../entities/rules/commissions/review-reasons';
import { insertOf, layOut, parametersOf } from '../../../entities/database/bulk-rows';
import { execute, query, transaction, type Db } from '../../../entities/database/sql';
import { buildParticipant } from './programs';
import { oneRow } from '../rows';

export interface CommissionOverrides {
  /** Made, with its programme and workspace, when it is left out. */
  participant?: Participant;
  program?: Program;
  externalTransactionId?: string;
  /** The conversion's amount: 100.00 usd unless said otherwise, so a commission of 20.00. */
  conversionAmountCents?: number;
  conversionCurrency?: string | null;
  feeCents?: number | null;
  /** Reasons beside those that follow from the money. */
  reviewReasons?: ReviewReason[];
  terms?: Partial<PinnedTerms>;
  /** The status that the system decides, the hold set aside. */
  status?: 'pending' | 'approved' | 'rejected';
  createdAt?: Date;
}

/** One that a sale earned, unlike an adjustment. */
export type CommissionOfSale = CommissionRecord & { conversionId: string };

/** A commission with its conversion, history, ledger and events, through the service's own plan. */
export async function buildCommission(
  db: Db,
  overrides: CommissionOverrides = {},
): Promise<CommissionOfSale> {
  const participant =
    overrides.participant ??
    (await buildParticipant(db, overrides.program ? { program: overrides.program } : {}));
  const program = overrides.program ?? (await oneRow(db, Program, { id: participant.programId }));
  const scope = { workspaceId: program.workspaceId, mode: program.mode };
  const conversion = conversionOf(overrides);
  const now = overrides.createdAt ?? new Date();

  const change = planCommission(
    {
      scope,
      conversion,
      program,
      participantId: participant.id,
      terms: termsOf(program, participant, overrides),
      reviewReasons: overrides.reviewReasons ?? [],
      feeCents: overrides.feeCents ?? null,
      arrivedAt: now,
    },
    { now },
  );
  if (!change) throw new Error('this conversion earns nothing');
  await insertConversion(db, { ...conversion, participant, now });
  await insertCommission(db, change);
  await decideAs(db, change.commission, overrides.status ?? 'pending', now);
  const [record] = await findCommissions(db, { scope, commissionIds: [change.commission.id] });
  if (!record) throw new Error('the commission is gone');
  return { ...record, conversionId: conversion.id };
}

const { events, work } = journalTables;
const rowSets = layOut({ ...commissionTables, events, work });
const insertStatement = `WITH ${Object.entries(rowSets)
  .map(
    ([kind, set]) =>
      `new_${kind} AS (${insertOf(set, 'true', kind === 'work' ? '' : 'ORDER BY r.id')})`,
  )
  .join(', ')} SELECT 1`;

/** All that the change writes, as the statement of its conversion would. */
async function insertCommission(db: Db, change: CommissionChange): Promise<void> {
  const { audit: _none, signals, ...rows } = changeRows([change]);
  const parameters = parametersOf(rowSets, {
    ...rows,
    work: [...announcementsOf(rows.events), ...signals],
  });
  await query(db, insertStatement, parameters);
}

async function decideAs(
  db: Db,
  commission: Parameters<typeof beginChange>[0],
  status: 'pending' | 'approved' | 'rejected',
  now: Date,
): Promise<void> {
  if (status === commission.status || status === 'pending') return;
  const decision = status === 'approved' ? 'approve' : 'reject';
  const by = { decision, actor: systemActor, reason: null } as const;
  await writeChanges(db, [withDecision(beginChange(commission, { now }), by)]);
}

function termsOf(
  program: Program,
  participant: Participant,
  overrides: CommissionOverrides,
): PinnedTerms {
  const { commissionType, rateBps, amountCents, basis, recurring, recurringMonths } = program;
  const source = {
    currency: program.currency,
    terms: { type: commissionType, rateBps, amountCents, basis, recurring, recurringMonths },
    rules: program.rules,
    holdDays: program.holdDays,
    autoApprove: program.autoApprove,
    group: defaultGroupOf(program.id),
  };
  const sale = {
    eventType: 'purchase',
    participantId: participant.id,
    currency: 'usd',
    amountCents: overrides.conversionAmountCents ?? 10_000,
    items: null,
    metadata: null,
    rank: null,
  };
  return { ...judgeTerms(source, sale).terms, ...overrides.terms };
}

function conversionOf(overrides: CommissionOverrides): {
  id: string;
  externalTransactionId: string;
  amountCents: number;
  currency: string | null;
} {
  const id = newId(overrides.createdAt);
  return {
    id,
    externalTransactionId: overrides.externalTransactionId ?? `order-${id}`,
    amountCents: overrides.conversionAmountCents ?? 10_000,
    currency: overrides.conversionCurrency === undefined ? 'usd' : overrides.conversionCurrency,
  };
}

async function insertConversion(
  db: Db,
  conversion: ReturnType<typeof conversionOf> & { participant: Participant; now: Date },
): Promise<void> {
  const { participant, now } = conversion;
  await execute(
    db,
    `WITH alias AS (
       INSERT INTO conversion_aliases (workspace_id, mode, alias, conversion_id)
       VALUES ($2, $3, $4, $1))
     INSERT INTO conversions (id, workspace_id, mode, external_transaction_id, source, event_type,
            amount_cents, currency, occurred_at, attributed, reason, explanation, matched_by,
            promo_code, program_id, participant_id, created_at)
     VALUES ($1, $2, $3, $4, 'api', 'purchase', $5, $6, $9, true, 'ATTRIBUTED', 'By its promo code.',
            'promo_code', 'BUILT', $7, $8, $9)`,
    [
      conversion.id,
      participant.workspaceId,
      participant.mode,
      conversion.externalTransactionId,
      conversion.amountCents,
      conversion.currency,
      participant.programId,
      participant.id,
      now,
    ],
  );
}

/** What a payout of these commissions is at first; they must be approved. */
export function buildPayout(
  db: Db,
  commissions: readonly CommissionRecord[],
  overrides: { completed?: boolean; now?: Date } = {},
): Promise<PayoutRecord> {
  const [first] = commissions;
  if (!first) throw new Error('a payout needs a commission');
  const now = overrides.now ?? new Date();
  const scope = { workspaceId: first.workspaceId, mode: first.mode };
  const context = { scope, actor: systemActor, now };
  return transaction(db, async (tx) => {
    const program = { id: first.programId, currency: first.currency, minPayoutCents: 0 };
    const commissionIds = commissions.map((commission) => commission.id);
    const command = { program, commissionIds, reference: null };
    const payout = await createPayout(tx, context, command);
    return overrides.completed ? completePayout(tx, context, { payoutId: payout.id }) : payout;
  });
}
