import { transaction, type Db, type Tx } from '../../entities/database/sql';
import { AppError } from '../../entities/errors';
import {
  decisionRefusal,
  elapseRefusal,
  type Decision,
  type DecisionRefusal,
} from '../../entities/rules/commissions/status';
import type { Commission } from '../../entities/tables/commissions/commission.entity';
import type { Cause, CommandContext } from '../journal/cause';
import { MicroBatch, recordOf } from '../../runtime/load/micro-batch';
import { retryWhileLocked } from '../../runtime/load/retry';
import {
  beginChange,
  withDecision,
  withFields,
  withWhatIsDue,
  type AuditLine,
  type CommissionChange,
} from './commission-change';
import { changeAll, type ChangeOutcome, type ChangeRequest } from './optimistic-lock';
import { findCommissions, isInPayout, lockCommissions, type CommissionRecord } from './records';
import { writeChanges } from './write';

interface CommissionOf {
  /** The programme of the commission; without it, any of the scope. */
  programId?: string | undefined;
  commissionId: string;
}

export interface DecideCommand extends CommissionOf {
  decision: Decision;
  /** Required for approve_override and reject. */
  reason: string | null;
}

/**
 * Approves or rejects by compare-and-set: of several at once one wins and the others are judged by
 * what it left. COMMISSION_NOT_FOUND or a code of `decisionRefusal`.
 */
export function decideCommission(
  db: Db,
  context: CommandContext,
  command: DecideCommand,
): Promise<CommissionRecord> {
  return changeOne(db, decisionRequest(context, command));
}

function decisionRequest(context: CommandContext, command: DecideCommand): ChangeRequest {
  const { programId, commissionId } = command;
  return {
    key: { scope: context.scope, programId, commissionId },
    change: (record) => {
      const decided = decidedOf(context, command, record);
      if (typeof decided === 'string') throw new AppError(decided);
      return decided;
    },
  };
}

type DecisionOn = Pick<DecideCommand, 'decision' | 'reason'>;

/** What the decision makes of a commission as it was read, or why it is refused. */
function decidedOf(
  context: CommandContext,
  { decision, reason }: DecisionOn,
  record: CommissionRecord,
): CommissionChange | DecisionRefusal {
  const { actor, now } = context;
  const { status, holdUntil, reviewReasons, participantErased } = record;
  const inPayout = isInPayout(record);
  const decidable = { status, holdUntil, reviewReasons, participantErased, inPayout };
  const refusal = decisionRefusal(decision, decidable, now);
  if (refusal) return refusal;
  const decided = withDecision(beginChange(record, context), { decision, reason, actor });
  const asking = decision === 'reject' ? { asksAgain: true as const } : {};
  return { ...decided, ...asking, audit: auditLine(decision, context) };
}

/** Test mode only: ends the hold as time would, automatic approval included. */
export async function elapseHold(
  db: Db,
  context: CommandContext,
  { programId, commissionId }: CommissionOf,
): Promise<CommissionRecord> {
  const { scope, now } = context;
  if (scope.mode !== 'test') throw new AppError('FORBIDDEN');
  return changeOne(db, {
    key: { scope, programId, commissionId },
    change: (record) => {
      const refusal = elapseRefusal(record, now);
      if (refusal) throw new AppError(refusal);
      const ended = withFields(beginChange(record, context), { holdUntil: now });
      const audit = auditLine('elapse_hold', context);
      return { ...withWhatIsDue(ended, record), signalsLifecycle: true, audit };
    },
  });
}

/** Takes the decisions of one process; those that arrive together share their read and commit. */
export interface DecisionBatch {
  decide(context: CommandContext, command: DecideCommand): Promise<CommissionRecord>;
}

/** Decides as decideCommission does, for many at once: a lone decision waits for no batch. */
export function createDecisionBatch(db: Db): DecisionBatch {
  const batch = new MicroBatch<ChangeRequest, ChangeOutcome>({
    commit: (requests) => changeAll(db, requests),
    maxItems: 64,
    maxInFlight: 2,
    maxWaiting: 5_000,
    patienceMs: 20_000,
  });
  return {
    decide(context, command) {
      const request = decisionRequest(context, command);
      return retryWhileLocked(db, async () => recordOf(await batch.submit(request)));
    },
  };
}

async function changeOne(db: Db, request: ChangeRequest): Promise<CommissionRecord> {
  const change = async (): Promise<CommissionRecord> =>
    recordOf((await changeAll(db, [request]))[0]);
  return retryWhileLocked(db, change);
}

export interface BulkCommand {
  programId: string;
  commissionIds: readonly string[];
  decision: Extract<Decision, 'approve' | 'reject'>;
  reason: string | null;
}

export interface BulkResult {
  commissionId: string;
  /** The commission's after the command, refused or not; undefined when there is none. */
  status?: Commission['status'];
  code?: DecisionRefusal | 'COMMISSION_NOT_FOUND';
}

/** The same decision on each, in one transaction; a refused one holds up none of the others. */
export function decideCommissions(
  db: Db,
  context: CommandContext,
  command: BulkCommand,
): Promise<BulkResult[]> {
  const decide = (): Promise<BulkResult[]> =>
    transaction(db, (tx) => decideInOne(tx, context, command));
  return retryWhileLocked(db, decide);
}

async function decideInOne(
  tx: Tx,
  context: CommandContext,
  command: BulkCommand,
): Promise<BulkResult[]> {
  const { programId, commissionIds } = command;
  const key = { scope: context.scope, programId, commissionIds };
  const seen = await findCommissions(tx, key);
  const decided = new Map(seen.map((record) => [record.id, decideOne(context, command, record)]));
  // Refusals are judged without a lock, so that they need not wait for a payout that holds one.
  const open = seen.flatMap(({ id }) => (decided.get(id)?.change ? [id] : []));
  // A commission is decided only if it is still there under its lock: a reset may have taken it meanwhile.
  for (const id of open) decided.delete(id);
  for (const record of await lockCommissions(tx, { ...key, commissionIds: open })) {
    decided.set(record.id, decideOne(context, command, record));
  }
  await writeChanges(
    tx,
    [...decided.values()].flatMap(({ change }) => change ?? []),
  );
  return commissionIds.map(
    (id) => decided.get(id)?.result ?? { commissionId: id, code: 'COMMISSION_NOT_FOUND' as const },
  );
}

/** The same with what its caller is told. */
export function decideOne(
  context: CommandContext,
  command: DecisionOn,
  record: CommissionRecord,
): { result: BulkResult; change?: CommissionChange } {
  const { id: commissionId, status } = record;
  const change = decidedOf(context, command, record);
  if (typeof change === 'string') return { result: { commissionId, status, code: change } };
  return { result: { commissionId, status: change.commission.status }, change };
}

const auditActions = {
  approve: 'commission.approved',
  approve_override: 'commission.approved_override',
  reject: 'commission.rejected',
  elapse_hold: 'commission.hold_elapsed',
} as const;

function auditLine(action: keyof typeof auditActions, { actor, requestId }: Cause): AuditLine {
  return { actor, action: auditActions[action], requestId };
}
