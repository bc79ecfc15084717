import type { Commission } from '../../entities/tables/commissions/commission.entity';
import { AppError } from '../../entities/errors';
import type { Actor } from '../../entities/rules/values/actor';
import { decisionRefusal, elapseRefusal } from '../../entities/rules/commissions/status';
import type { Decision, DecisionRefusal } from '../../entities/rules/commissions/status';
import type { Scope } from '../../entities/rules/values/mode';
import { type Db, isInTransaction, transaction } from '../../entities/database/sql';
import type { Cause } from '../journal/cause';
import { beginChange, decide, withFields, withWhatIsDue } from './commission-change';
import type { AuditLine, CommissionChange } from './commission-change';
import { lockCommissions } from './records';
import type { CommissionRecord } from './records';
import { changeAll, recordOfOutcome } from './optimistic-lock';
import type { ChangeAsked, ChangeOutcome } from './optimistic-lock';
import { writeChanges } from './write';
import { createFairBatch, whileHeldUp } from '../runtime/batching/fair-batch';

export interface DecideCommand {
  scope: Scope;
  /** Without it, any programme of the scope. */
  programId?: string | undefined;
  commissionId: string;
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
  command: DecideCommand,
  cause: Cause,
): Promise<CommissionRecord> {
  return changeOne(db, decisionAsked(command, cause));
}

function decisionAsked(command: DecideCommand, cause: Cause): ChangeAsked {
  const { decision, reason } = command;
  return {
    key: command,
    change: (record) => {
      const refusal = decisionRefusal(decision, decidable(record), cause.now);
      if (refusal) throw new AppError(refusal);
      const decided = decide(beginChange(record, cause.now), {
        decision,
        reason,
        actor: cause.actor,
      });
      return { ...decided, audit: auditLine(decision, cause) };
    },
  };
}

/** Test mode only: ends the hold as time would, automatic approval included. */
export async function elapseHold(
  db: Db,
  command: Omit<DecideCommand, 'decision' | 'reason'>,
  cause: Cause,
): Promise<CommissionRecord> {
  if (command.scope.mode !== 'test') throw new AppError('FORBIDDEN');
  return changeOne(db, {
    key: command,
    change: (record) => {
      const refusal = elapseRefusal(record, cause.now);
      if (refusal) throw new AppError(refusal);
      const ended = withFields(beginChange(record, cause.now), { holdUntil: cause.now });
      const audit = auditLine('elapse_hold', cause);
      return { ...withWhatIsDue(ended, record), wakes: true, audit };
    },
  });
}

/** Takes the decisions of one process; those that arrive together share their read and commit. */
export interface DecisionDesk {
  decide(command: DecideCommand, cause: Cause): Promise<CommissionRecord>;
}

/** As decideCommission, for many at once: a lone decision waits for no batch. */
export function createDecisionDesk(db: Db): DecisionDesk {
  const desk = createFairBatch<ChangeAsked, ChangeOutcome>({
    commit: (asked) => changeAll(db, asked),
    ownerOf: ({ key }) => key.scope.workspaceId,
    errorIn: (outcome) => ('error' in outcome ? outcome.error : undefined),
    maxItems: 64,
    maxInFlight: 2,
    maxWaiting: 5_000,
    patienceMs: 20_000,
  });
  return {
    async decide(command, cause) {
      return recordOfOutcome(await desk.submit(decisionAsked(command, cause)));
    },
  };
}

async function changeOne(db: Db, asked: ChangeAsked): Promise<CommissionRecord> {
  const change = async (): Promise<CommissionRecord> =>
    recordOfOutcome((await changeAll(db, [asked]))[0]);
  // In an open transaction only its owner can begin again.
  return isInTransaction(db) ? change() : whileHeldUp(change);
}

export interface BulkCommand {
  scope: Scope;
  programId: string;
  commissionIds: readonly string[];
  decision: Extract<Decision, 'approve' | 'reject'>;
  reason: string | null;
}

export interface BulkResult {
  commissionId: string;
  /** The commission after the command, when it was carried out. */
  status?: Commission['status'];
  code?: DecisionRefusal | 'COMMISSION_NOT_FOUND';
}

/** The same decision on each, in one transaction; a refused one holds up none of the others. */
export function decideCommissions(
  db: Db,
  command: BulkCommand,
  cause: Cause,
): Promise<BulkResult[]> {
  const { decision, reason, commissionIds } = command;
  return transaction(db, async (tx) => {
    const records = await lockCommissions(tx, command);
    const results = new Map<string, BulkResult>();
    const changes: CommissionChange[] = [];
    for (const record of records) {
      const code = decisionRefusal(decision, decidable(record), cause.now);
      const commissionId = record.id;
      if (code) {
        results.set(commissionId, { commissionId, code });
        continue;
      }
      const begun = beginChange(record, cause.now);
      const change = decide(begun, { decision, reason, actor: cause.actor });
      changes.push({ ...change, audit: auditLine(decision, cause) });
      results.set(commissionId, { commissionId, status: change.commission.status });
    }
    await writeChanges(tx, changes);
    return commissionIds.map(
      (id) => results.get(id) ?? { commissionId: id, code: 'COMMISSION_NOT_FOUND' as const },
    );
  });
}

function decidable(record: CommissionRecord): Parameters<typeof decisionRefusal>[1] {
  return {
    status: record.status,
    holdUntil: record.holdUntil,
    reviewReasons: record.reviewReasons,
    inPayout: record.status === 'approved' && record.payoutId !== null,
    participantErased: record.participantErased,
  };
}

const auditActions = {
  approve: 'commission.approved',
  approve_override: 'commission.approved_override',
  reject: 'commission.rejected',
  elapse_hold: 'commission.hold_elapsed',
} as const;

function auditLine(
  deed: keyof typeof auditActions,
  cause: { actor: Actor; requestId?: string | undefined },
): AuditLine {
  return { actor: cause.actor, action: auditActions[deed], requestId: cause.requestId };
}
