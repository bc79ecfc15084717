import type { Commission } from '../entities/commission.entity';
import { AppError } from '../entities/errors';
import { systemActor } from '../entities/rules/actor';
import type { Actor } from '../entities/rules/actor';
import { decisionRefusal, elapseRefusal } from '../entities/rules/commission-status';
import type { Decision, DecisionRefusal } from '../entities/rules/commission-status';
import type { Scope } from '../entities/rules/mode';
import type { Db } from '../entities/sql';
import type { Cause } from './cause';
import { beginChange, decide, withFields, withWhatIsDue } from './commission-changes';
import type { CommissionChange } from './commission-changes';
import { planCommission } from './commission-plan';
import type { NewCommission } from './commission-plan';
import { findCommissions, lockCommission, lockCommissions, recordOf } from './commission-records';
import type { CommissionRecord } from './commission-records';
import { insertCommissions, writeChanges } from './commission-writes';
import type { AuditLine } from './commission-writes';

/**
 * Commission, accrual, history, events and outbox rows of an attributed conversion, in its
 * transaction. Undefined when the sale earns nothing.
 */
export async function createCommission(
  tx: Db,
  input: NewCommission,
  now: Date,
): Promise<Commission | undefined> {
  const change = planCommission(input, now);
  if (!change) return undefined;
  await insertCommissions(tx, [change]);
  return change.commission;
}

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
  const { decision, reason } = command;
  const audit = auditLine(decision, cause);
  return changeOne(db, command, audit, (record) => {
    const refusal = decisionRefusal(decision, decidable(record), cause.now);
    if (refusal) throw new AppError(refusal);
    const change = beginChange(record, cause.now);
    return decide(change, { decision, reason, actor: cause.actor });
  });
}

/** Test mode only: ends the hold as time would, automatic approval included. */
export async function elapseHold(
  db: Db,
  command: Omit<DecideCommand, 'decision' | 'reason'>,
  cause: Cause,
): Promise<CommissionRecord> {
  if (command.scope.mode !== 'test') throw new AppError('FORBIDDEN');
  return changeOne(db, command, auditLine('elapse_hold', cause), (record) => {
    const refusal = elapseRefusal(record, cause.now);
    if (refusal) throw new AppError(refusal);
    const ended = withFields(beginChange(record, cause.now), { holdUntil: cause.now });
    return { ...withWhatIsDue(ended, record), wakes: true };
  });
}

/** Nobody keeps a row busy for so many turns: each lost one means that another change got through. */
const maxTurns = 50;

async function changeOne(
  db: Db,
  key: { scope: Scope; programId?: string | undefined; commissionId: string },
  audit: AuditLine,
  change: (record: CommissionRecord) => CommissionChange,
): Promise<CommissionRecord> {
  for (let turn = 0; turn < maxTurns; turn += 1) {
    const [record] = await findCommissions(db, { ...key, commissionIds: [key.commissionId] });
    if (!record) throw new AppError('COMMISSION_NOT_FOUND');
    const next = change(record);
    const written = await writeChanges(db, [next], audit);
    if (written.size === 1) return recordOf(record, next.commission);
  }
  throw new AppError('SERVICE_UNAVAILABLE', { headers: { 'Retry-After': '1' } });
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
  return db.transaction(async (tx) => {
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
      const change = decide(beginChange(record, cause.now), {
        decision,
        reason,
        actor: cause.actor,
      });
      changes.push(change);
      results.set(commissionId, { commissionId, status: change.commission.status });
    }
    await writeChanges(tx, changes, auditLine(decision, cause));
    return commissionIds.map(
      (id) => results.get(id) ?? { commissionId: id, code: 'COMMISSION_NOT_FOUND' as const },
    );
  });
}

/**
 * Does what is due by now, under lock. The lifecycle asks this at every turn, so a lost or repeated
 * call does no harm. Undefined for a commission that is gone.
 */
export function advanceCommission(
  db: Db,
  commissionId: string,
  now: Date,
): Promise<Commission | undefined> {
  return db.transaction(async (tx) => {
    const record = await lockCommission(tx, commissionId);
    return record && advance(tx, record, now);
  });
}

async function advance(tx: Db, record: CommissionRecord, now: Date): Promise<Commission> {
  const begun = beginChange(record, now);
  const change = withWhatIsDue(begun, record);
  if (change === begun) return record;
  await writeChanges(tx, [change], {
    actor: systemActor,
    action: change.commission.status === 'approved' ? 'commission.approved' : 'commission.held',
  });
  return change.commission;
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
