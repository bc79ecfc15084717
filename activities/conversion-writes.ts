import { newId } from '../entities/ids';
import { prepared, type Db } from '../entities/sql';
import type { CommissionChange } from './commission-changes';
import { changeRows, inserts as commissionInserts } from './commission-writes';
import type { ConversionPlan } from './conversion-plan';
import { conversionObject } from './conversion-record';

type Row = Record<string, unknown>;

// Rows are plain literals: an object that begins with a spread costs V8 ten times as much to make,
// and this is the hottest write.

/** Table and columns of each kind of row, in the order of the statement's parameters. */
const inserts = [
  'conversion_aliases (workspace_id, mode, alias, conversion_id)',
  `conversions (id, workspace_id, mode, external_transaction_id, source, event_type, amount_cents,
    currency, occurred_at, click_id, promo_code, prospect_hash, customer_id, metadata, attributed,
    reason, explanation, matched_by, program_id, participant_id, link_id, window_ends_at, created_at)`,
  'attribution_decisions (conversion_id, workspace_id, mode, trace, facts, created_at)',
  commissionInserts.events,
  'outbox (topic, ref, available_at)',
  commissionInserts.commissions,
  commissionInserts.history,
  commissionInserts.ledger,
];
const flagInsert = `fraud_flags (id, workspace_id, mode, program_id, participant_id, conversion_id,
  rule, action, value, threshold, occurred_at, created_at)`;

/** A list of rows as JSON in a parameter of its own: one look into a common value would cost all of it. */
function statementOf(tables: readonly string[]): string {
  const parts = tables.map((into, index) => {
    const table = into.slice(0, into.indexOf(' '));
    const columns = into.slice(into.indexOf('(') + 1, -1);
    return `part${index} AS (INSERT INTO ${into} SELECT ${columns}
      FROM json_populate_recordset(NULL::${table}, $${index + 1}::json))`;
  });
  return `WITH ${parts.join(',\n')} SELECT 1`;
}

const plainStatement = statementOf(inserts);
const flaggedStatement = statementOf([...inserts, flagInsert]);

/**
 * Writes conversions with everything that follows from them: one statement, one commit. An id that
 * is known already fails all of it, by uq_conversion_external_transaction.
 */
export async function writeConversions(db: Db, plans: readonly ConversionPlan[]): Promise<void> {
  const { commissions, history, ledger, events, wakes } = changeRows(
    plans
      .map((plan) => plan.commission)
      .filter((change): change is CommissionChange => change !== null),
  );
  const allEvents = [...plans.flatMap(eventRows), ...events];
  const work = [
    ...allEvents.map((event) => ({
      topic: 'event',
      ref: event.id,
      available_at: event.occurred_at,
    })),
    ...wakes.map((wake) => ({ topic: 'commission', ...wake })),
  ];
  const flags = plans.flatMap(flagRows);
  const lists = [
    plans.flatMap(aliasRows).sort(byAlias),
    plans.map(conversionRow),
    plans.map(decisionRow),
    allEvents,
    work,
    commissions,
    history,
    ledger,
  ].map((rows) => JSON.stringify(rows));

  if (flags.length === 0) await prepared(db, 'write_conversions', plainStatement, lists);
  else {
    const values = [...lists, JSON.stringify(flags)];
    await prepared(db, 'write_flagged_conversions', flaggedStatement, values);
  }
}

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
