import { newId } from '../entities/ids';
import { prepared } from '../entities/sql';
import type { Db } from '../entities/sql';
import type { AuditLine, CommissionChange } from './commission-changes';
import { commissionRow, mutableColumns, writtenColumns } from './commission-columns';
import { commissionObject } from './commission-object';

export interface ChangeRows {
  commissions: object[];
  history: object[];
  ledger: object[];
  events: { id: string; occurred_at: Date }[];
  /** Commissions whose lifecycle has to look again. */
  wakes: { ref: string; available_at: Date }[];
  audit: object[];
}

/** Every row that changes of commissions write: how a row is made is said here and nowhere else. */
export function changeRows(changes: readonly CommissionChange[]): ChangeRows {
  return {
    commissions: changes.map((change) => commissionRow(change.commission)),
    history: changes.flatMap(historyRows),
    ledger: changes.flatMap(ledgerRows),
    events: changes.flatMap(eventRows),
    wakes: changes
      .filter((change) => change.wakes)
      .map(({ commission, at }) => ({ ref: commission.id, available_at: at })),
    audit: changes.flatMap((change) => (change.audit ? [auditRow(change, change.audit)] : [])),
  };
}

// Literals without spreads: these rows are made for every conversion, and V8 is slow to spread.

function historyRows({ commission, history, at }: CommissionChange): object[] {
  return history.map((line) => ({
    workspace_id: commission.workspaceId,
    mode: commission.mode,
    id: line.id,
    commission_id: commission.id,
    from_status: line.from,
    to_status: line.to,
    trigger: line.trigger,
    actor_type: line.actor.type,
    actor_id: line.actor.id,
    reason: line.reason,
    at,
  }));
}

function ledgerRows({ commission, ledger, at }: CommissionChange): object[] {
  return ledger.map((line) => ({
    workspace_id: commission.workspaceId,
    mode: commission.mode,
    id: line.id,
    program_id: commission.programId,
    participant_id: commission.participantId,
    commission_id: commission.id,
    payout_id: line.payoutId,
    type: line.type,
    amount_cents: line.amountCents,
    currency: commission.currency,
    created_at: at,
  }));
}

function eventRows({ events, at }: CommissionChange): ChangeRows['events'] {
  return events.map((event) => ({
    workspace_id: event.commission.workspaceId,
    mode: event.commission.mode,
    id: event.id,
    type: event.type,
    object_id: event.commission.id,
    object: commissionObject(event.commission),
    occurred_at: at,
  }));
}

function auditRow({ commission, at }: CommissionChange, audit: AuditLine): object {
  return {
    id: newId(),
    workspace_id: commission.workspaceId,
    actor_type: audit.actor.type,
    actor_id: audit.actor.id,
    action: audit.action,
    target_type: 'commission',
    target_id: commission.id,
    request_id: audit.requestId ?? null,
    created_at: at,
  };
}

/** Table and columns of each kind of row. */
export const inserts = {
  commissions: `commissions (${writtenColumns.join(', ')})`,
  history: `commission_history (id, workspace_id, mode, commission_id, from_status, to_status,
    trigger, actor_type, actor_id, reason, at)`,
  ledger: `ledger_entries (id, workspace_id, mode, program_id, participant_id, commission_id,
    payout_id, type, amount_cents, currency, created_at)`,
  events: 'events (id, workspace_id, mode, type, object_id, object, occurred_at)',
  audit: `audit_log (id, workspace_id, actor_type, actor_id, action, target_type, target_id,
    request_id, created_at)`,
} as const;

/** Each kind of row is a parameter of its own: one value for all would be parsed once a kind. */
const places = { commissions: 1, history: 2, ledger: 3, events: 4, wakes: 5, audit: 6 } as const;

function paramsOf(rows: ChangeRows): string[] {
  const { commissions, history, ledger, events, wakes, audit } = rows;
  return [commissions, history, ledger, events, wakes, audit].map((list) => JSON.stringify(list));
}

function recordset(kind: keyof typeof places, table: string): string {
  return `json_populate_recordset(NULL::${table}, $${places[kind]}::json)`;
}

/**
 * INSERT of one kind of row; `condition` may refer to the row as `r`. Ids grow as they are made, so
 * sorting by them keeps the order of a commission's events.
 */
function insertRows(kind: keyof typeof inserts, condition = 'true'): string {
  const into = inserts[kind];
  const table = into.slice(0, into.indexOf(' '));
  const columns = into.slice(into.indexOf('(') + 1, -1);
  return `INSERT INTO ${into} SELECT ${columns} FROM ${recordset(kind, table)} AS r
    WHERE ${condition} ORDER BY r.id`;
}

/** What goes with the commissions' rows; only with those in `changed`, when that is given. */
function trailCtes(changed?: string): string {
  const only = (column: string): string =>
    changed ? `${column} IN (SELECT id FROM ${changed})` : 'true';
  return `
    new_commission_history AS (${insertRows('history', only('r.commission_id'))}),
    new_ledger_entries AS (${insertRows('ledger', only('r.commission_id'))}),
    new_commission_events AS (${insertRows('events', only('r.object_id'))}
      RETURNING id, occurred_at),
    new_commission_work AS (
      INSERT INTO outbox (topic, ref, available_at)
      SELECT 'event', id, occurred_at FROM new_commission_events
      UNION ALL
      SELECT 'commission', r.ref, r.available_at FROM ${recordset('wakes', 'outbox')} AS r
       WHERE ${only('r.ref')}),
    new_audit AS (${insertRows('audit', only('r.target_id::uuid'))})`;
}

const insertStatement = `
  WITH new_commissions AS (${insertRows('commissions')}), ${trailCtes()} SELECT 1`;

/** Writes new commissions, in the transaction of their conversions. */
export async function insertCommissions(
  tx: Db,
  changes: readonly CommissionChange[],
): Promise<void> {
  if (changes.length === 0) return;
  await prepared(tx, 'insert_commissions', insertStatement, paramsOf(changeRows(changes)));
}

const updateStatement = `
  WITH changed AS (
    UPDATE commissions AS c SET ${mutableColumns.map((name) => `${name} = r.${name}`).join(', ')}
      FROM ${recordset('commissions', 'commissions')} AS r
     WHERE c.id = r.id AND c.version = r.version - 1 RETURNING c.id),
  ${trailCtes('changed')}
  SELECT id FROM changed`;

/**
 * Compare-and-set: writes each change whose commission is still at the version that it was decided
 * on, with all its rows, and none of the others. Returns the ids that were written.
 */
export async function writeChanges(
  db: Db,
  changes: readonly CommissionChange[],
): Promise<Set<string>> {
  if (changes.length === 0) return new Set();
  const params = paramsOf(changeRows(changes));
  const name = 'write_commission_changes';
  const rows = await prepared<{ id: string }>(db, name, updateStatement, params);
  return new Set(rows.map((row) => row.id));
}
