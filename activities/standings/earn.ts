import { insertAll } from '../../entities/database/insert-all';
import { query, type Tx } from '../../entities/database/sql';
import { bonusMove, bonusTerms } from '../../entities/rules/commissions/bonus';
import { holdUntilFor } from '../../entities/rules/commissions/status';
import { isForGroup, type Bonus } from '../../entities/rules/programs/bonuses';
import { isReached, type Figure, type FigureMetric } from '../../entities/rules/programs/figures';
import { systemActor } from '../../entities/rules/values/actor';
import { EarnedBonus } from '../../entities/tables/partners/earned-bonus.entity';
import type { Participant } from '../../entities/tables/partners/participant.entity';
import {
  approvedAtOnce,
  beginChange,
  causedBy,
  unchanged,
  withDecision,
  withEvent,
  withFields,
  withHistory,
  withLedger,
  withWhatIsDue,
  type CommissionChange,
} from '../commissions/commission-change';
import { newCommission } from '../commissions/plan';
import { lockCommission, type CommissionRecord } from '../commissions/records';
import { insertCommission, writeChanges } from '../commissions/write';
import type { CommandContext } from '../journal/cause';
import { groupOf } from '../programs/group-rows';
import { bonusesOf } from './bonuses';
import { figuresOf } from './figures';
import { isActive, type Standing } from './tiers';

type MemberStanding = Standing & { participant: Participant & { groupId: string } };

/**
 * Pays each bonus that a partner has reached, once; takes back one that is pending when its figure falls, and gives
 * it again when that is reached again. It runs under the lock of the partner's row.
 */
export async function earnBonuses(
  tx: Tx,
  context: CommandContext,
  standing: MemberStanding,
): Promise<void> {
  const { participant } = standing;
  const earned = await earnedBy(tx, participant.id);
  const known = new Set(earned.map(({ bonusId }) => bonusId));
  const mayEarn = isActive(standing) ? await bonusesOf(tx, participant.programId) : [];
  const open = mayEarn.filter(
    (bonus) => !known.has(bonus.id) && isForGroup(bonus, participant.groupId),
  );
  const asked = [...earned, ...open.map(({ metric, window }) => ({ metric, ...window }))];
  const figures = await figuresOf(tx, keyOf(participant), asked);
  for (const [n, one] of earned.entries()) {
    const figure = figures[n] ?? nothing;
    await settleBonus(tx, context, { participant, earned: one, figure });
  }
  for (const [n, bonus] of open.entries()) {
    const figure = figures[earned.length + n] ?? nothing;
    if (isReached(figure, bonus.atLeast)) await payBonus(tx, context, { ...standing, bonus });
  }
}

const nothing: Figure = { all: 0, imported: 0 };
const keyOf = ({ id: participantId, programId }: Participant) => ({ programId, participantId });

interface Earned {
  bonusId: string;
  commissionId: string;
  metric: FigureMetric;
  atLeast: number;
  from: Date | null;
  to: Date | null;
}

/** Each with the figure by which it was earned. */
function earnedBy(tx: Tx, participantId: string): Promise<Earned[]> {
  return query<Earned>(
    tx,
    `SELECT bonus_id AS "bonusId", commission_id AS "commissionId", metric, at_least AS "atLeast",
            counts_from AS "from", counts_to AS "to"
       FROM earned_bonuses WHERE participant_id = $1 ORDER BY bonus_id`,
    [participantId],
  );
}

async function payBonus(
  tx: Tx,
  context: CommandContext,
  { program, participant, bonus }: MemberStanding & { bonus: Bonus },
): Promise<void> {
  const { scope, now } = context;
  const group = await groupOf(tx, program, participant.groupId);
  const commission = newCommission(scope, now, {
    ...keyOf(participant),
    conversionId: null,
    externalTransactionId: null,
    adjustmentReason: null,
    adjustmentKind: null,
    commissionType: 'bonus',
    amountCents: bonus.amountCents,
    currency: bonus.currency,
    conversionAmountCents: 0,
    feeCents: null,
    terms: bonusTerms(bonus, group, program),
    reviewReasons: [],
    arrivedAt: now,
  });
  const [countsFrom, countsTo] = [bonus.window.from, bonus.window.to].map(dateOf);
  const row = {
    ...scope,
    ...keyOf(participant),
    bonusId: bonus.id,
    commissionId: commission.id,
    metric: bonus.metric,
    atLeast: bonus.atLeast,
    ...{ countsFrom: countsFrom ?? null, countsTo: countsTo ?? null, earnedAt: now },
  };
  await insertAll(tx, { into: EarnedBonus, rows: [row] });
  let change = unchanged(commission, context.requestId ?? null);
  change = withLedger(change, { type: 'accrual', amountCents: bonus.amountCents });
  const line = { from: null, to: 'pending', trigger: 'created', actor: systemActor } as const;
  change = withEvent(withHistory(change, line), 'commission.created', []);
  await insertCommission(tx, decidedAtOnce(change));
}

const dateOf = (instant: string | null): Date | null =>
  instant === null ? null : new Date(instant);

/** The commission is approved by the same commit where nothing holds it. */
function decidedAtOnce(change: CommissionChange): CommissionChange {
  const due = withWhatIsDue(change, { participantStatus: 'approved', participantErased: false });
  const isPending = due.commission.status === 'pending';
  return isPending ? { ...due, signalsLifecycle: true } : approvedAtOnce(due);
}

async function settleBonus(
  tx: Tx,
  context: CommandContext,
  { participant, earned, figure }: { participant: Participant; earned: Earned; figure: Figure },
): Promise<void> {
  const commission = await lockCommission(tx, earned.commissionId);
  if (!commission) return;
  const isLost = await wasLost(tx, commission);
  if (commission.status !== 'pending' && !isLost) return;
  const { atLeast } = earned;
  const move = bonusMove({ status: commission.status, isLost, atLeast }, figure);
  if (move === 'lost') await writeChanges(tx, [lost(commission, context)]);
  if (move === 'again' && isGivable(participant)) {
    await writeChanges(tx, [givenAgain(commission, context)]);
  }
}

function isGivable({ status, erasedAt }: Participant): boolean {
  return status === 'approved' && erasedAt === null;
}

/** Rejected because its figure fell, and by nobody. */
async function wasLost(tx: Tx, { id, status }: CommissionRecord): Promise<boolean> {
  if (status !== 'rejected') return false;
  const [last] = await query<{ trigger: string }>(
    tx,
    `SELECT trigger FROM commission_history WHERE commission_id = $1
      ORDER BY at DESC, id DESC LIMIT 1`,
    [id],
  );
  return last?.trigger === 'bonus_lost';
}

const lostReason = 'The figure of the bonus is no longer reached.';

function lost(record: CommissionRecord, context: CommandContext): CommissionChange {
  const by = { decision: 'bonus_lost', actor: systemActor, reason: lostReason } as const;
  return withDecision(beginChange(record, context), by);
}

/** The same commission is pending again, and its hold is counted anew. */
function givenAgain(record: CommissionRecord, context: CommandContext): CommissionChange {
  const begun = beginChange(record, context);
  const holdUntil = holdUntilFor(begun.at, record.terms.holdDays);
  let change = withFields(begun, {
    status: 'pending',
    ...{ holdUntil, holdElapsed: holdUntil === null },
    ...{ rejectedAt: null, rejectionReason: null },
    ...{ decidedByType: null, decidedById: null },
  });
  // The entry books back what was taken when it was lost: all other entries say what it is worth.
  change = withLedger(change, { type: 'reversal', amountCents: record.amountCents });
  const line = { from: 'rejected', to: 'pending', trigger: 'bonus' } as const;
  change = withHistory(change, { ...line, actor: systemActor });
  change = causedBy(withEvent(change, 'commission.updated'), 'credit_given');
  return withWhatIsDue({ ...change, signalsLifecycle: true }, record);
}
