import { insertOf, layOut, parametersOf, rowsOf } from '../../entities/database/bulk-rows';
import { mutableColumnsOf, tableOf } from '../../entities/database/columns';
import { newId } from '../../entities/ids';
import { CommissionHistory } from '../../entities/tables/commissions/commission-history.entity';
import { Commission } from '../../entities/tables/commissions/commission.entity';
import { LedgerEntry } from '../../entities/tables/commissions/ledger-entry.entity';
import { AuditLogEntry } from '../../entities/tables/journal/audit-log-entry.entity';
import { Event } from '../../entities/tables/journal/event.entity';
import { OutboxRow } from '../../entities/tables/journal/outbox-row.entity';
import { briefLocks, isInTransaction, prepared, type Tx } from '../../entities/database/sql';
import type { Db } from '../../entities/database/sql';
import type { AuditLine, CommissionChange } from './commission-change';
import { commissionObject } from './event-object';

export interface ChangeRows {
  commissions: Commission[];
  history: CommissionHistory[];
  ledger: LedgerEntry[];
  events: NewEventRow[];
  /** Commissions whose lifecycle has to look again. */
  wakes: Wake[];
  audit: AuditLogEntry[];
}

/** An event before the database numbers it. */
export type NewEventRow = Omit<Event, 'seq'>;
export type Wake = Pick<OutboxRow, 'ref' | 'workspaceId' | 'availableAt'>;

/** Every row that changes of commissions write: how a row is made is said here and nowhere else. */
export function changeRows(changes: readonly CommissionChange[]): ChangeRows {
  return {
    commissions: changes.map((change) => change.commission),
    history: changes.flatMap(historyRows),
    ledger: changes.flatMap(ledgerRows),
    events: changes.flatMap(eventRows),
    wakes: changes
      .filter((change) => change.wakes)
      .map(({ commission, at }) => ({
        ref: commission.id,
        workspaceId: commission.workspaceId,
        availableAt: at,
      })),
    audit: changes.flatMap((change) => (change.audit ? [auditRow(change, change.audit)] : [])),
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

function eventRows({ events, at }: CommissionChange): NewEventRow[] {
  return events.map((event) => ({
    workspaceId: event.commission.workspaceId,
    mode: event.commission.mode,
    id: event.id,
    type: event.type,
    objectId: event.commission.id,
    object: commissionObject(event.commission),
    occurredAt: at,
    cause: event.cause ?? null,
  }));
}

function auditRow({ commission, at }: CommissionChange, audit: AuditLine): AuditLogEntry {
  return {
    id: newId(),
    workspaceId: commission.workspaceId,
    actorType: audit.actor.type,
    actorId: audit.actor.id,
    action: audit.action,
    targetType: 'commission',
    targetId: commission.id,
    requestId: audit.requestId ?? null,
    createdAt: at,
  };
}

/** Each kind of row with its table. */
export const tables = {
  commissions: tableOf(Commission),
  history: tableOf(CommissionHistory),
  ledger: tableOf(LedgerEntry),
  events: tableOf(Event),
};

const written = layOut({ ...tables, wakes: tableOf(OutboxRow), audit: tableOf(AuditLogEntry) });

/** Ids grow as they are made, so sorting by them keeps the order of a commission's events. */
function insertRows(kind: keyof typeof written, condition?: string): string {
  return insertOf(written[kind], condition, 'ORDER BY r.id');
}

/** What goes with the commissions' rows; only with those in `changed`, when that is given. */
function trailCtes(changed?: string): string {
  const only = (column: string): string =>
    changed ? `${column} IN (SELECT id FROM ${changed})` : 'true';
  return `
    new_commission_history AS (${insertRows('history', only('r.commission_id'))}),
    new_ledger_entries AS (${insertRows('ledger', only('r.commission_id'))}),
    new_commission_events AS (${insertRows('events', only('r.object_id'))}
      RETURNING id, workspace_id, occurred_at),
    new_commission_work AS (
      INSERT INTO outbox (topic, ref, payload, workspace_id, available_at)
      SELECT 'events', ids[1], jsonb_build_object('others', to_jsonb(ids[2:])), workspace_id, at
        FROM (SELECT workspace_id, array_agg(id ORDER BY id) AS ids, min(occurred_at) AS at
                FROM new_commission_events GROUP BY workspace_id) AS announced
      UNION ALL
      SELECT 'commission', r.ref, '{}', r.workspace_id, r.available_at FROM ${rowsOf(written.wakes)}
       WHERE ${only('r.ref')}),
    new_audit AS (${insertRows('audit', only('r.target_id::uuid'))})`;
}

const insertStatement = `
  WITH new_commissions AS (${insertRows('commissions')}), ${trailCtes()} SELECT 1`;

/** Writes new commissions, in the transaction of their conversions. */
export async function insertCommissions(
  tx: Tx,
  changes: readonly CommissionChange[],
): Promise<void> {
  if (changes.length === 0) return;
  const params = parametersOf(written, changeRows(changes));
  await prepared(tx, 'insert_commissions', insertStatement, params);
}

const assignments = mutableColumnsOf(Commission).map((name) => `${name} = r.${name}`);
const updateStatement = (source: string, condition = 'true'): string => `
  changed AS (
    UPDATE commissions AS c SET ${assignments.join(', ')}
      FROM ${source}${rowsOf(written.commissions)}
     WHERE c.id = r.id AND c.version = r.version - 1 AND ${condition} RETURNING c.id),
  ${trailCtes('changed')}
  SELECT id FROM changed`;
const updates = {
  write_commission_changes: `WITH ${updateStatement('')}`,
  // A row is updated only after the wait for its lock was bounded.
  write_shared_commission_changes: `WITH waits AS MATERIALIZED (SELECT ${briefLocks} AS bound),
    ${updateStatement('waits CROSS JOIN ', 'waits.bound IS NOT NULL')}`,
} as const;

/**
 * Compare-and-set: writes each change whose commission is still at the version that it was decided
 * on, with all its rows, and none of the others. Returns the ids that were written. A statement of
 * its own waits for locks only briefly: others may share it.
 */
export async function writeChanges(
  db: Db,
  changes: readonly CommissionChange[],
): Promise<Set<string>> {
  if (changes.length === 0) return new Set();
  const params = parametersOf(written, changeRows(changes));
  const name = isInTransaction(db) ? 'write_commission_changes' : 'write_shared_commission_changes';
  const rows = await prepared<{ id: string }>(db, name, updates[name], params);
  return new Set(rows.map((row) => row.id));
}
