import { newId } from '../entities/ids';
import type { Scope } from '../entities/rules/mode';
import { prepared, type Db } from '../entities/sql';
import type { CommissionChange } from './commission-changes';
import { changeRows, newCommissionCtes } from './commission-writes';
import type { ConversionPlan } from './conversion-plan';
import { conversionObject } from './conversion-record';

type Row = Record<string, unknown>;

/** INSERT of the rows of one kind, out of one JSON value with a list for each kind. */
const inserts = {
  aliases: 'conversion_aliases (workspace_id, mode, alias, conversion_id)',
  conversions: `conversions (id, workspace_id, mode, external_transaction_id, source, event_type,
    amount_cents, currency, occurred_at, click_id, promo_code, prospect_hash, customer_id, metadata,
    attributed, reason, explanation, matched_by, program_id, participant_id, link_id,
    window_ends_at, created_at)`,
  decisions: `attribution_decisions (conversion_id, workspace_id, mode, trace, facts, created_at)`,
  flags: `fraud_flags (id, workspace_id, mode, program_id, participant_id, conversion_id, rule,
    action, value, threshold, occurred_at, created_at)`,
  events: 'events (id, workspace_id, mode, type, object_id, object, occurred_at)',
} as const;

function insertOf(kind: keyof typeof inserts): string {
  const into = inserts[kind];
  const table = into.slice(0, into.indexOf(' '));
  const columns = into.slice(into.indexOf('(') + 1, -1);
  return `INSERT INTO ${into} SELECT ${columns}
    FROM json_populate_recordset(NULL::${table}, $1::json -> '${kind}')`;
}

// One statement, one round trip, one commit. An id that is known already fails all of it, by
// uq_conversion_external_transaction.
const writeStatement = `
  WITH new_aliases AS (${insertOf('aliases')}),
    new_conversions AS (${insertOf('conversions')}),
    new_decisions AS (${insertOf('decisions')}),
    new_flags AS (${insertOf('flags')}),
    new_events AS (${insertOf('events')} RETURNING id, occurred_at),
    new_work AS (INSERT INTO outbox (topic, ref, available_at)
      SELECT 'event', id, occurred_at FROM new_events),
    ${newCommissionCtes('$2::json')}
  SELECT 1`;

/** Writes conversions with everything that follows from them. */
export async function writeConversions(
  db: Db,
  scope: Scope,
  plans: readonly ConversionPlan[],
): Promise<void> {
  const commissions = plans
    .map((plan) => plan.commission)
    .filter((change): change is CommissionChange => change !== null);
  await prepared(db, 'write_conversions', writeStatement, [
    JSON.stringify({
      aliases: plans.flatMap((plan) => aliasRows(scope, plan)),
      conversions: plans.map((plan) => conversionRow(scope, plan)),
      decisions: plans.map((plan) => decisionRow(scope, plan)),
      flags: plans.flatMap((plan) => flagRows(scope, plan)),
      events: plans.flatMap((plan) => eventRows(scope, plan)),
    }),
    changeRows(commissions),
  ]);
}

function tenant(scope: Scope): Row {
  return { workspace_id: scope.workspaceId, mode: scope.mode };
}

function aliasRows(scope: Scope, { aliases, record }: ConversionPlan): Row[] {
  return aliases.map((alias) => ({ ...tenant(scope), alias, conversion_id: record.id }));
}

function conversionRow(scope: Scope, { record, prospectHash, linkId }: ConversionPlan): Row {
  return {
    ...tenant(scope),
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

function decisionRow(scope: Scope, { record, trace, facts }: ConversionPlan): Row {
  return {
    ...tenant(scope),
    conversion_id: record.id,
    trace,
    facts,
    created_at: record.createdAt,
  };
}

function flagRows(scope: Scope, { record, flags }: ConversionPlan): Row[] {
  return flags.map(({ rule, action, value, threshold }) => ({
    ...tenant(scope),
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

function eventRows(scope: Scope, { record, flags }: ConversionPlan): Row[] {
  const object = conversionObject(record);
  const event = (type: string, content: Row): Row => ({
    ...tenant(scope),
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
