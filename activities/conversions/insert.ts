import {
  insertOf,
  layOut,
  parametersOf,
  type Row,
  type RowSet,
  type Table,
} from '../../entities/database/bulk-rows';
import { newId } from '../../entities/ids';
import { briefLocks, isInTransaction, prepared, type Db } from '../../entities/database/sql';
import type { CommissionChange } from '../commissions/commission-change';
import { changeRows, tables, type ChangeRows } from '../commissions/write';
import type { ConversionPlan } from './decide';
import { conversionObject } from './conversion';

// Rows are plain literals: an object that begins with a spread costs V8 ten times as much to make,
// and this is the hottest write.

/** Each kind of row with its columns, in the order of the statement's parameters. */
const plain = {
  aliases: {
    table: 'conversion_aliases',
    columns: { workspace_id: 'uuid', mode: 'text', alias: 'text', conversion_id: 'uuid' },
  },
  conversions: {
    table: 'conversions',
    columns: {
      id: 'uuid',
      workspace_id: 'uuid',
      mode: 'text',
      external_transaction_id: 'text',
      source: 'text',
      event_type: 'text',
      amount_cents: 'bigint',
      currency: 'text',
      occurred_at: 'timestamptz',
      click_id: 'text',
      promo_code: 'text',
      prospect_hash: 'text',
      customer_id: 'text',
      metadata: 'json',
      attributed: 'boolean',
      reason: 'text',
      explanation: 'text',
      matched_by: 'text',
      program_id: 'uuid',
      participant_id: 'uuid',
      link_id: 'uuid',
      window_ends_at: 'timestamptz',
      created_at: 'timestamptz',
    },
  },
  decisions: {
    table: 'attribution_decisions',
    columns: {
      conversion_id: 'uuid',
      workspace_id: 'uuid',
      mode: 'text',
      trace: 'json',
      facts: 'json',
      created_at: 'timestamptz',
    },
  },
  events: tables.events,
  work: {
    table: 'outbox',
    columns: {
      topic: 'text',
      ref: 'uuid',
      payload: 'jsonb',
      workspace_id: 'uuid',
      available_at: 'timestamptz',
    },
  },
  commissions: tables.commissions,
  history: tables.history,
  ledger: tables.ledger,
} as const satisfies Record<string, Table>;

const flagTable = {
  table: 'fraud_flags',
  columns: {
    id: 'uuid',
    workspace_id: 'uuid',
    mode: 'text',
    program_id: 'uuid',
    participant_id: 'uuid',
    conversion_id: 'uuid',
    rule: 'text',
    action: 'text',
    value: 'json',
    threshold: 'bigint',
    occurred_at: 'timestamptz',
    created_at: 'timestamptz',
  },
} as const satisfies Table;

const plainSets = layOut(plain);
const flaggedSets = layOut({ ...plain, flags: flagTable });

function statementOf(sets: Record<string, RowSet>, main: string): string {
  const parts = Object.entries(sets).map(([kind, set]) => `new_${kind} AS (${insertOf(set)})`);
  return `WITH ${parts.join(',\n')} ${main}`;
}

/** The main query runs before the inserts that it does not read. */
const shortWait = `SELECT ${briefLocks}`;
const statements = {
  plain: statementOf(plainSets, 'SELECT 1'),
  plain_shared: statementOf(plainSets, shortWait),
  flagged: statementOf(flaggedSets, 'SELECT 1'),
  flagged_shared: statementOf(flaggedSets, shortWait),
};

/**
 * Writes conversions with everything that follows from them: one statement, one commit. An id that
 * is known already fails all of it, by uq_conversion_external_transaction. A statement of its own
 * waits for locks only briefly: others may share it.
 */
export async function writeConversions(db: Db, plans: readonly ConversionPlan[]): Promise<void> {
  const changes = changeRows(
    plans
      .map((plan) => plan.commission)
      .filter((change): change is CommissionChange => change !== null),
  );
  const events = [...plans.flatMap(eventRows), ...changes.events];
  const rows = {
    aliases: plans.flatMap(aliasRows).sort(byAlias),
    conversions: plans.map(conversionRow),
    decisions: plans.map(decisionRow),
    events,
    work: [...announcements(events), ...changes.wakes.map(wakeRow)],
    commissions: changes.commissions,
    history: changes.history,
    ledger: changes.ledger,
  };
  const flags = plans.flatMap(flagRows);
  const params =
    flags.length === 0
      ? parametersOf(plainSets, rows)
      : parametersOf(flaggedSets, { ...rows, flags });
  const kind = flags.length === 0 ? 'plain' : 'flagged';
  const name = isInTransaction(db) ? kind : (`${kind}_shared` as const);
  await prepared(db, `write_conversions_${name}`, statements[name], params);
}

/** All events of a workspace in a commit are one piece of work. */
function announcements(events: readonly EventRow[]): Row[] {
  const byWorkspace = new Map<string, Row & { payload: { others: string[] } }>();
  for (const { id, workspace_id, occurred_at } of events) {
    const known = byWorkspace.get(workspace_id);
    if (known) known.payload.others.push(id);
    else {
      const payload = { others: [] };
      const row = { topic: 'events', ref: id, payload, workspace_id, available_at: occurred_at };
      byWorkspace.set(workspace_id, row);
    }
  }
  return [...byWorkspace.values()];
}

function wakeRow({ ref, workspace_id, available_at }: ChangeRows['wakes'][number]): Row {
  return { topic: 'commission', ref, payload: {}, workspace_id, available_at };
}

type EventRow = ChangeRows['events'][number];

/** One order for all: two batches that share ids never wait for each other crosswise. */
function byAlias(a: { alias: string }, b: { alias: string }): number {
  return a.alias < b.alias ? -1 : 1;
}

function aliasRows({ scope, aliases, record }: ConversionPlan) {
  return aliases.map((alias) => ({
    workspace_id: scope.workspaceId,
    mode: scope.mode,
    alias,
    conversion_id: record.id,
  }));
}

function conversionRow({ scope, record, prospectHash, linkId }: ConversionPlan): Row {
  return {
    workspace_id: scope.workspaceId,
    mode: scope.mode,
    id: record.id,
    external_transaction_id: record.externalTransactionId,
    source: record.source,
    event_type: record.eventType,
    amount_cents: record.amountCents,
    currency: record.currency,
    occurred_at: record.occurredAt,
    click_id: record.clickId,
    promo_code: record.promoCode,
    prospect_hash: prospectHash,
    customer_id: record.customerId,
    metadata: record.metadata,
    attributed: record.attributed,
    reason: record.reason,
    explanation: record.explanation,
    matched_by: record.matchedBy,
    program_id: record.programId,
    participant_id: record.participantId,
    link_id: linkId,
    window_ends_at: record.windowEndsAt,
    created_at: record.createdAt,
  };
}

function decisionRow({ scope, record, trace, facts }: ConversionPlan): Row {
  return {
    workspace_id: scope.workspaceId,
    mode: scope.mode,
    conversion_id: record.id,
    trace,
    facts,
    created_at: record.createdAt,
  };
}

function flagRows({ scope, record, flags }: ConversionPlan): Row[] {
  return flags.map(({ rule, action, value, threshold }) => ({
    workspace_id: scope.workspaceId,
    mode: scope.mode,
    id: newId(),
    program_id: record.programId,
    participant_id: record.participantId,
    conversion_id: record.id,
    rule,
    action,
    value,
    threshold,
    occurred_at: record.occurredAt,
    created_at: record.createdAt,
  }));
}

function eventRows({ scope, record, flags }: ConversionPlan) {
  const object = conversionObject(record);
  const event = (type: string, content: Row) => ({
    workspace_id: scope.workspaceId,
    mode: scope.mode,
    id: newId(),
    type,
    object_id: record.id,
    object: content,
    occurred_at: record.createdAt,
    cause: null,
  });
  const created = event('conversion.created', object);
  if (flags.length === 0) return [created];
  const fraudFlags = flags.map(({ rule, action, value, threshold }) => ({
    rule,
    action,
    value,
    threshold,
  }));
  return [created, event('conversion.fraud_detected', { ...object, fraud_flags: fraudFlags })];
}
