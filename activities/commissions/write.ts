import { insertOf, layOut, parametersOf, rowsOf } from '../../entities/database/bulk-rows';
import { mutableColumnsOf, tableOf } from '../../entities/database/columns';
import { insertAll } from '../../entities/database/insert-all';
import { isInTransaction, prepared, type Db, type Tx } from '../../entities/database/sql';
import { CommissionHistory } from '../../entities/tables/commissions/commission-history.entity';
import { Commission } from '../../entities/tables/commissions/commission.entity';
import { LedgerEntry } from '../../entities/tables/commissions/ledger-entry.entity';
import type { AuditLogEntry } from '../../entities/tables/journal/audit-log-entry.entity';
import {
  announceSql,
  auditRow,
  journalTables,
  workRow,
  type NewEventRow,
  type NewWorkRow,
} from '../journal/rows';
import type { CommissionChange } from './commission-change';
import { commissionObject } from './event-object';

export interface ChangeRows {
  commissions: Commission[];
  history: CommissionHistory[];
  ledger: LedgerEntry[];
  events: NewEventRow[];
  /** Signals to lifecycles, and what is to be asked again; the announcement of the events is apart. */
  signals: NewWorkRow[];
  audit: AuditLogEntry[];
}

/** Every row that changes of commissions write: how a row is made is said here and nowhere else. */
export function changeRows(changes: readonly CommissionChange[]): ChangeRows {
  return {
    commissions: changes.map((change) => change.commission),
    history: changes.flatMap(historyRows),
    ledger: changes.flatMap(ledgerRows),
    events: changes.flatMap(eventRows),
    signals: changes.flatMap(signalRows),
    audit: changes.flatMap(auditRows),
  };
}

function historyRows({ commission, history, at }: CommissionChange): CommissionHistory[] {
  return history.map((line) => ({
    workspaceId: commission.workspaceId,
    mode: commission.mode,
    id: line.id,
    commissionId: commission.id,
    fromStatus: line.from,
    toStatus: line.to,
    trigger: line.trigger,
    actorType: line.actor.type,
    actorId: line.actor.id,
    reason: line.reason,
    at,
  }));
}

function ledgerRows({ commission, ledger, at }: CommissionChange): LedgerEntry[] {
  return ledger.map((line) => ({
    workspaceId: commission.workspaceId,
    mode: commission.mode,
    id: line.id,
    programId: commission.programId,
    participantId: commission.participantId,
    commissionId: commission.id,
    payoutId: line.payoutId,
    type: line.type,
    amountCents: line.amountCents,
    currency: commission.currency,
    createdAt: at,
  }));
}

function eventRows({ events, at, requestId }: CommissionChange): NewEventRow[] {
  return events.map((event) => ({
    workspaceId: event.commission.workspaceId,
    mode: event.commission.mode,
    id: event.id,
    type: event.type,
    objectId: event.commission.id,
    object: commissionObject(event.commission),
    occurredAt: at,
    cause: event.cause ?? null,
    requestId,
  }));
}

function signalRows(change: CommissionChange): NewWorkRow[] {
  const { commission, at, requestId, signalsLifecycle, asksAgain } = change;
  const { id: ref, workspaceId, mode } = commission;
  const work = { ref, workspaceId, availableAt: at, requestId };
  const payload = { mode, rejected: ref, customers: [], payments: [] };
  return [
    ...(signalsLifecycle ? [workRow('commission', work)] : []),
    ...(asksAgain ? [{ ...work, topic: 'credit' as const, payload }] : []),
  ];
}

function auditRows({ commission, audit, at }: CommissionChange): AuditLogEntry[] {
  if (!audit) return [];
  const target = { type: 'commission', id: commission.id };
  return [auditRow({ target, workspaceId: commission.workspaceId, at, ...audit })];
}

/** Each kind of row with its table. */
export const commissionTables = {
  commissions: tableOf(Commission),
  history: tableOf(CommissionHistory),
  ledger: tableOf(LedgerEntry),
};

const written = layOut({
  ...commissionTables,
  events: journalTables.events,
  signals: journalTables.work,
  audit: journalTables.audit,
});

/** The rows of a commission are inserted only if it was changed; ids grow, so their order is that of the events. */
function insertChanged(kind: keyof typeof written, commissionId: string): string {
  const isChanged = `${commissionId} IN (SELECT id FROM changed)`;
  return insertOf(written[kind], isChanged, kind === 'signals' ? '' : 'ORDER BY r.id');
}

const assignments = mutableColumnsOf(Commission).map((name) => `${name} = r.${name}`);
const updateStatement = (condition: string): string => `
  changed AS (
    UPDATE commissions AS c SET ${assignments.join(', ')}
      FROM ${rowsOf(written.commissions)}
     WHERE c.id = r.id AND c.version = r.version - 1 AND ${condition} RETURNING c.id),
  new_history AS (${insertChanged('history', 'r.commission_id')}),
  new_ledger AS (${insertChanged('ledger', 'r.commission_id')}),
  new_events AS (${insertChanged('events', 'r.object_id')} RETURNING id, workspace_id, occurred_at,
    request_id),
  announced_events AS (${announceSql('new_events')}),
  new_signals AS (${insertChanged('signals', 'r.ref')}),
  new_audit AS (${insertChanged('audit', 'r.target_id::uuid')})`;

/** Rows that an open transaction has locked, or may wait for. */
const inTransaction = `WITH ${updateStatement('true')}
  SELECT id, true AS "isChanged" FROM changed`;

/** Rows that are free at this moment, in one order; the others are left to whoever has them. */
const byItself = `
  WITH free AS MATERIALIZED (
    SELECT c.id FROM commissions AS c JOIN ${rowsOf(written.commissions)} ON r.id = c.id
     ORDER BY c.id FOR NO KEY UPDATE OF c SKIP LOCKED),
  ${updateStatement('c.id IN (SELECT id FROM free)')}
  SELECT free.id, changed.id IS NOT NULL AS "isChanged" FROM free LEFT JOIN changed USING (id)`;

export interface WrittenChanges {
  written: Set<string>;
  /** Ids of rows that another transaction has at this moment. */
  locked: Set<string>;
}

/**
 * Compare-and-set: writes each change whose commission is still at the version that it was decided
 * on, with all its rows, and none of the others. A statement of its own, which may be shared by many
 * tenants, waits for no lock. Of the ids in neither set the row has changed meanwhile.
 */
export async function writeChanges(
  db: Db,
  changes: readonly CommissionChange[],
): Promise<WrittenChanges> {
  if (changes.length === 0) return { written: new Set(), locked: new Set() };
  const statement = isInTransaction(db)
    ? { name: 'write_commission_changes', text: inTransaction }
    : { name: 'write_free_commission_changes', text: byItself };
  const values = parametersOf(written, changeRows(changes));
  const rows = await prepared<{ id: string; isChanged: boolean }>(db, { ...statement, values });
  const free = new Set(rows.map(({ id }) => id));
  const ids = changes.map(({ commission }) => commission.id);
  return {
    written: new Set(rows.filter(({ isChanged }) => isChanged).map(({ id }) => id)),
    locked: new Set(isInTransaction(db) ? [] : ids.filter((id) => !free.has(id))),
  };
}

/** Writes a commission that is made later than its conversion, with all that comes with it. */
export async function insertCommission(tx: Tx, change: CommissionChange): Promise<void> {
  const { refundedAmountCents: _generated, needsReview: _too, ...row } = change.commission;
  // A change names the version before it.
  await insertAll(tx, { into: Commission, rows: [{ ...row, version: row.version - 1 }] });
  await writeChanges(tx, [change]);
}
