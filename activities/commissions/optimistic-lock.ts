import { RowsLockedError } from '../../entities/database/errors';
import type { Db } from '../../entities/database/sql';
import { AppError } from '../../entities/errors';
import type { Scope } from '../../entities/rules/values/mode';
import type { Outcome } from '../../runtime/load/micro-batch';
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
const maxLost = 50;

/**
 * Optimistic lock of several commissions at once, with one read and one commit an attempt. Of the
 * requests for one row all are judged by what was read, and the first that would change it is
 * written; the others, and those whose row has changed since, are attempted again. One whose row
 * another transaction has ends in RowsLockedError, and holds up none of the others.
 */
export async function changeAll(
  db: Db,
  requests: readonly ChangeRequest[],
): Promise<ChangeOutcome[]> {
  const outcomes = new Map<ChangeRequest, ChangeOutcome>();
  let lost = 0;
  while (lost < maxLost && outcomes.size < requests.length) {
    const left = requests.filter((request) => !outcomes.has(request));
    const decided = await attemptOnce(db, left);
    for (const [request, outcome] of decided) outcomes.set(request, outcome);
    if (decided.size === 0) lost += 1;
  }
  return requests.map((request) => outcomes.get(request) ?? { error: tooBusy() });
}

function tooBusy(): AppError {
  return new AppError('SERVICE_UNAVAILABLE', { headers: { 'Retry-After': '1' } });
}

/** The outcomes of those that were refused, written or locked; the row of the others has changed. */
async function attemptOnce(
  db: Db,
  requests: readonly ChangeRequest[],
): Promise<Map<ChangeRequest, ChangeOutcome>> {
  const outcomes = new Map<ChangeRequest, ChangeOutcome>();
  const records = await findCommissionsById(db, [
    ...new Set(requests.map(({ key }) => key.commissionId)),
  ]);
  const byId = new Map(records.map((record) => [record.id, record]));
  const changes = new Map<ChangeRequest, CommissionChange>();
  const changed = new Set<string>();
  for (const request of requests) {
    const { commissionId } = request.key;
    try {
      const change = request.change(ownRecord(request, byId.get(commissionId)));
      if (!changed.has(commissionId)) changes.set(request, change);
      changed.add(commissionId);
    } catch (error) {
      outcomes.set(request, { error });
    }
  }
  // Sorted, so that batches over the same rows never dead-lock.
  const sorted = [...changes.values()].sort((a, b) => (a.commission.id < b.commission.id ? -1 : 1));
  const { written, locked } = await writeChanges(db, sorted);
  for (const [request, { commission }] of changes) {
    const record = byId.get(commission.id);
    if (record && written.has(commission.id)) {
      outcomes.set(request, { record: withCommission(record, commission) });
    } else if (locked.has(commission.id)) {
      outcomes.set(request, { error: new RowsLockedError('the commission is locked') });
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
