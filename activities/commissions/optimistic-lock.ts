import { isHeldUp } from '../../entities/database/errors';
import type { Db, LockWait } from '../../entities/database/sql';
import { AppError } from '../../entities/errors';
import type { Scope } from '../../entities/rules/values/mode';
import type { Outcome } from '../runtime/batching/outcome';
import type { CommissionChange } from './commission-change';
import { findCommissionsById, withCommission, type CommissionRecord } from './records';
import { writeChanges } from './write';

/** A change that is decided on the row as it is at the time of each attempt. */
export interface ChangeRequest {
  key: { scope: Scope; programId?: string | undefined; commissionId: string };
  /** Throws AppError when the row as it is does not allow it. */
  change: (record: CommissionRecord) => CommissionChange;
}

export type ChangeOutcome = Outcome<CommissionRecord>;

/** No row stays busy for this many attempts: each lost one means that another change succeeded. */
const mostAttempts = 50;

/**
 * Optimistic lock of several commissions at once, with one read and one commit an attempt. A request
 * whose row has changed since it was read, or is another request's too, is attempted again. When
 * locks are in the way the first attempt throws, having written nothing; at later ones only the
 * requests that are left fail.
 */
export async function changeAll(
  db: Db,
  requests: readonly ChangeRequest[],
  wait: LockWait = 'own',
): Promise<ChangeOutcome[]> {
  const outcomes = new Map<ChangeRequest, ChangeOutcome>();
  for (let attempt = 1; attempt <= mostAttempts && outcomes.size < requests.length; attempt += 1) {
    const left = requests.filter((request) => !outcomes.has(request));
    try {
      const decided = await attemptOnce(db, firstOfEachRow(left), wait);
      for (const [request, outcome] of decided) outcomes.set(request, outcome);
    } catch (error) {
      if (attempt === 1 || !isHeldUp(error)) throw error;
      for (const request of left) outcomes.set(request, { error });
    }
  }
  return requests.map((request) => outcomes.get(request) ?? { error: tooBusy() });
}

function tooBusy(): AppError {
  return new AppError('SERVICE_UNAVAILABLE', { headers: { 'Retry-After': '1' } });
}

function firstOfEachRow(requests: readonly ChangeRequest[]): ChangeRequest[] {
  const byId = new Map<string, ChangeRequest>();
  for (const request of requests) {
    if (!byId.has(request.key.commissionId)) byId.set(request.key.commissionId, request);
  }
  return [...byId.values()];
}

/** The outcomes of those that were refused or written; of the others the row has changed meanwhile. */
async function attemptOnce(
  db: Db,
  requests: readonly ChangeRequest[],
  wait: LockWait,
): Promise<Map<ChangeRequest, ChangeOutcome>> {
  const outcomes = new Map<ChangeRequest, ChangeOutcome>();
  const records = await findCommissionsById(
    db,
    requests.map(({ key }) => key.commissionId),
  );
  const byId = new Map(records.map((record) => [record.id, record]));
  const changes = new Map<ChangeRequest, CommissionChange>();
  for (const request of requests) {
    try {
      const record = ownRecord(request, byId.get(request.key.commissionId));
      changes.set(request, request.change(record));
    } catch (error) {
      outcomes.set(request, { error });
    }
  }
  // Sorted, so that batches over the same rows never dead-lock.
  const sorted = [...changes.values()].sort((a, b) => (a.commission.id < b.commission.id ? -1 : 1));
  const written = await writeChanges(db, sorted, wait);
  for (const [request, { commission }] of changes) {
    const record = byId.get(commission.id);
    if (record && written.has(commission.id)) {
      outcomes.set(request, { record: withCommission(record, commission) });
    }
  }
  return outcomes;
}

function ownRecord({ key }: ChangeRequest, record: CommissionRecord | undefined): CommissionRecord {
  const isOwn =
    record?.workspaceId === key.scope.workspaceId &&
    record.mode === key.scope.mode &&
    (key.programId === undefined || record.programId === key.programId);
  if (!record || !isOwn) throw new AppError('COMMISSION_NOT_FOUND');
  return record;
}
