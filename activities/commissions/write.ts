import {
  insertOf,
  layOut,
  parametersOf,
  rowsOf,
  type Table,
} from '../../entities/database/bulk-rows';
import { newId } from '../../entities/ids';
import { briefLocks, isInTransaction, prepared, type Tx } from '../../entities/database/sql';
import type { Db } from '../../entities/database/sql';
import type { AuditLine, CommissionChange } from './commission-change';
import { commissionRow, mutableColumns, writtenColumns } from './rows';
import { commissionObject } from './event-object';

export interface ChangeRows {
  commissions: object[];
  history: object[];
  ledger: object[];
  events: { id: string; workspace_id: string; occurred_at: Date }[];
  /** Commissions whose lifecycle has to look again. */
  wakes: { ref: string; workspace_id: string; available_at: Date }[];
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
      .map(({ commission, at }) => ({
        ref: commission.id,
        workspace_id: commission.workspaceId,
        available_at: at,
      })),
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
    cause: event.cause,
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

/** Each kind of row with its columns. */
export const tables = {
  commissions: { table: 'commissions', columns: writtenColumns },
  history: {
    table: 'commission_history',
    columns: {
      id: 'uuid',
      workspace_id: 'uuid',
      mode: 'text',
      commission_id: 'uuid',
      from_status: 'text',
      to_status: 'text',
      trigger: 'text',
      actor_type: 'text',
      actor_id: 'uuid',
      reason: 'text',
      at: 'timestamptz',
    },
  },
  ledger: {
    table: 'ledger_entries',
    columns: {
      id: 'uuid',
      workspace_id: 'uuid',
      mode: 'text',
      program_id: 'uuid',
      participant_id: 'uuid',
      commission_id: 'uuid',
      payout_id: 'uuid',
      type: 'text',
      amount_cents: 'bigint',
      currency: 'text',
      created_at: 'timestamptz',
    },
  },
  events: {
    table: 'events',
    columns: {
      id: 'uuid',
      workspace_id: 'uuid',
      mode: 'text',
      type: 'text',
      object_id: 'uuid',
      object: 'json',
      occurred_at: 'timestamptz',
      cause: 'text',
    },
  },
} as const satisfies Record<string, Table>;

const written = layOut({
  ...tables,
  wakes: {
    table: 'outbox',
    columns: { ref: 'uuid', workspace_id: 'uuid', available_at: 'timestamptz' },
  },
  audit: {
    table: 'audit_log',
    columns: {
      id: 'uuid',
      workspace_id: 'uuid',
      actor_type: 'text',
      actor_id: 'uuid',
      action: 'text',
      target_type: 'text',
      target_id: 'uuid',
      request_id: 'text',
      created_at: 'timestamptz',
    },
  },
});

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
    new_audit AS (${insertRows('audit', only('r.target_id'))})`;
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

const assignments = mutableColumns.map((name) => `${name} = r.${name}`);
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
