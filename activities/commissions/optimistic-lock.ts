import { isHeldUp } from '../../entities/database/errors';
import { AppError } from '../../entities/errors';
import type { Scope } from '../../entities/rules/values/mode';
import type { Db } from '../../entities/database/sql';
import type { CommissionChange } from './commission-change';
import { findCommissionsById, recordOf } from './records';
import type { CommissionRecord } from './records';
import { writeChanges } from './write';

/** A change that somebody asks for, decided on the row as it is at its turn. */
export interface ChangeAsked {
  key: { scope: Scope; programId?: string | undefined; commissionId: string };
  /** Throws AppError when the row as it is does not allow it. */
  change: (record: CommissionRecord) => CommissionChange;
}

export type ChangeOutcome = { record: CommissionRecord } | { error: unknown };

/** No row stays busy for this many attempts: each lost one means that another change succeeded. */
const maxTurns = 50;

/**
 * Compare-and-set of several commissions at once, in one read and one commit a turn. Whoever finds
 * the row changed since it was read, or asks for the same row as another, has a further turn. When
 * locks are in the way the first turn throws, having written nothing; later ones tell whom it hit.
 */
export async function changeAll(db: Db, asked: readonly ChangeAsked[]): Promise<ChangeOutcome[]> {
  const outcomes = new Map<ChangeAsked, ChangeOutcome>();
  for (let turn = 0; turn < maxTurns && outcomes.size < asked.length; turn += 1) {
    const left = asked.filter((one) => !outcomes.has(one));
    const asking = firstOfEachRow(left);
    try {
      await takeTurn(db, asking, outcomes);
    } catch (error) {
      if (turn === 0 || !isHeldUp(error)) throw error;
      for (const one of left) outcomes.set(one, { error });
    }
  }
  const error = new AppError('SERVICE_UNAVAILABLE', { headers: { 'Retry-After': '1' } });
  return asked.map((one) => outcomes.get(one) ?? { error });
}

function firstOfEachRow(asked: readonly ChangeAsked[]): ChangeAsked[] {
  const byId = new Map<string, ChangeAsked>();
  for (const one of asked) {
    if (!byId.has(one.key.commissionId)) byId.set(one.key.commissionId, one);
  }
  return [...byId.values()];
}

async function takeTurn(
  db: Db,
  asked: readonly ChangeAsked[],
  outcomes: Map<ChangeAsked, ChangeOutcome>,
): Promise<void> {
  const records = await findCommissionsById(
    db,
    asked.map(({ key }) => key.commissionId),
  );
  const byId = new Map(records.map((record) => [record.id, record]));
  const changes = new Map<ChangeAsked, CommissionChange>();
  for (const one of asked) {
    try {
      changes.set(one, one.change(ownRecord(one, byId.get(one.key.commissionId))));
    } catch (error) {
      outcomes.set(one, { error });
    }
  }
  // Sorted, so that batches over the same rows never dead-lock.
  const sorted = [...changes.values()].sort((a, b) => (a.commission.id < b.commission.id ? -1 : 1));
  const written = await writeChanges(db, sorted);
  for (const [one, { commission }] of changes) {
    const record = byId.get(commission.id);
    if (record && written.has(commission.id)) {
      outcomes.set(one, { record: recordOf(record, commission) });
    }
  }
}

function ownRecord({ key }: ChangeAsked, record: CommissionRecord | undefined): CommissionRecord {
  const isOwn =
    record?.workspaceId === key.scope.workspaceId &&
    record.mode === key.scope.mode &&
    (key.programId === undefined || record.programId === key.programId);
  if (!record || !isOwn) throw new AppError('COMMISSION_NOT_FOUND');
  return record;
}

/** The record, or the refusal as a throw. */
export function recordOfOutcome(outcome: ChangeOutcome | undefined): CommissionRecord {
  if (!outcome) throw new Error('a change without an outcome');
  if ('error' in outcome) throw outcome.error;
  return outcome.record;
}
