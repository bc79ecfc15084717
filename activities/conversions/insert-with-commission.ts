import {
  insertOf,
  layOut,
  parametersOf,
  rowsOf,
  type RowSet,
} from '../../entities/database/bulk-rows';
import { tableOf } from '../../entities/database/columns';
import { newId } from '../../entities/ids';
import { AttributionDecision } from '../../entities/tables/conversions/attribution-decision.entity';
import { ConversionAlias } from '../../entities/tables/conversions/conversion-alias.entity';
import { Conversion } from '../../entities/tables/conversions/conversion.entity';
import { FraudFlag } from '../../entities/tables/conversions/fraud-flag.entity';
import { prepared, type Db } from '../../entities/database/sql';
import type { CommissionChange } from '../commissions/commission-change';
import { changeRows, commissionTables } from '../commissions/write';
import { announcementsOf, journalTables, type NewEventRow } from '../journal/rows';
import type { ConversionPlan } from './decide';
import { aliasLockKey } from './alias-locks';
import { conversionObject } from './conversion';

// Rows are plain literals: an object that begins with a spread costs V8 ten times as much to make,
// and this is the hottest write.

/** Each kind of row with its table, in the order of the statement's parameters. */
const plain = {
  aliases: tableOf(ConversionAlias),
  conversions: tableOf(Conversion),
  decisions: tableOf(AttributionDecision),
  events: journalTables.events,
  work: journalTables.work,
  ...commissionTables,
};

const plainSets = layOut(plain);
const flaggedSets = layOut({ ...plain, flags: tableOf(FraudFlag) });

/**
 * The last parameter names the participants that the rows refer to. There are no foreign keys, so
 * the statement looks for itself whether they are all there, and writes nothing when one is not.
 * `locked` gives the aliases that another transaction has; then nothing is written either.
 */
function statementOf(sets: Record<string, RowSet>, locked: string): string {
  const participants = 1 + Math.max(...Object.values(sets).map(lastParameter));
  const allThere = 'NOT EXISTS (SELECT 1 FROM gone) AND NOT EXISTS (SELECT 1 FROM locked)';
  const parts = Object.entries(sets).map(
    ([kind, set]) => `new_${kind} AS (${insertOf(set, allThere)})`,
  );
  return `
    WITH gone AS MATERIALIZED (
      SELECT named.id FROM unnest((SELECT $${participants}::uuid[])) AS named (id)
       WHERE NOT EXISTS (SELECT 1 FROM participants AS p WHERE p.id = named.id)),
    locked AS MATERIALIZED (${locked}),
    ${parts.join(',\n')}
    SELECT (SELECT count(*) FROM gone) AS gone,
           (SELECT coalesce(array_agg(conversion_id), '{}') FROM locked) AS locked`;
}

function lastParameter({ first, columns }: RowSet): number {
  return first + Object.keys(columns).length;
}

/** An open transaction may wait for its ids, but holds their locks like any other writer of one. */
const waitedFor = (aliases: RowSet): string => `
  SELECT r.conversion_id FROM ${rowsOf(aliases)}
   WHERE pg_advisory_xact_lock(${aliasLockKey('r.workspace_id', 'r.mode', 'r.alias')}) IS NULL`;

/** An id that another transaction is writing: an insert of the same would wait for its end. */
const lockedBy = (aliases: RowSet): string => `
  SELECT DISTINCT r.conversion_id FROM ${rowsOf(aliases)}
   WHERE NOT pg_try_advisory_xact_lock(${aliasLockKey('r.workspace_id', 'r.mode', 'r.alias')})`;

const statements = {
  plain: statementOf(plainSets, waitedFor(plainSets.aliases)),
  plain_free: statementOf(plainSets, lockedBy(plainSets.aliases)),
  flagged: statementOf(flaggedSets, waitedFor(flaggedSets.aliases)),
  flagged_free: statementOf(flaggedSets, lockedBy(flaggedSets.aliases)),
};

export interface WrittenConversions {
  isWritten: boolean;
  /** Conversions of whose ids another transaction has one at this moment. */
  locked: Set<string>;
}

/**
 * Writes conversions with everything that follows from them: one statement, one commit, or nothing
 * of it. An id that is known already fails it, by uq_conversion_external_transaction. Unless it
 * `waits`, as part of an open transaction may, it names what others have locked. With
 * nothing locked and nothing written a partner is gone since the plans were made: a reset of test
 * data has taken it.
 */
export async function writeConversions(
  db: Db,
  plans: readonly ConversionPlan[],
  { waits }: { waits: boolean },
): Promise<WrittenConversions> {
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
    work: [...announcementsOf(events), ...changes.signals],
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
  const name = waits ? kind : (`${kind}_free` as const);
  const participants = [...new Set(plans.flatMap(({ record }) => record.participantId ?? []))];
  const [written] = await prepared<{ gone: number; locked: string[] }>(db, {
    name: `write_conversions_${name}`,
    text: statements[name],
    values: [...params, participants],
  });
  const locked = new Set(written?.locked ?? []);
  return { isWritten: written?.gone === 0 && locked.size === 0, locked };
}

/** One order for all batches: two that share ids never dead-lock. */
function byAlias(a: ConversionAlias, b: ConversionAlias): number {
  return a.alias < b.alias ? -1 : 1;
}

function aliasRows({ scope, aliases, record }: ConversionPlan): ConversionAlias[] {
  return aliases.map((alias) => ({
    workspaceId: scope.workspaceId,
    mode: scope.mode,
    alias,
    conversionId: record.id,
  }));
}

function conversionRow(plan: ConversionPlan): Omit<Conversion, 'refundedAmountCents'> {
  const { scope, record, prospectHash, linkId } = plan;
  return {
    workspaceId: scope.workspaceId,
    mode: scope.mode,
    id: record.id,
    externalTransactionId: record.externalTransactionId,
    source: record.source,
    eventType: record.eventType,
    amountCents: record.amountCents,
    currency: record.currency,
    occurredAt: record.occurredAt,
    clickId: record.clickId,
    promoCode: record.promoCode,
    prospectHash,
    customerId: record.customerId,
    metadata: record.metadata,
    items: record.items,
    attributed: record.attributed,
    newCustomer: plan.isOfNewCustomer,
    reason: record.reason,
    explanation: record.explanation,
    matchedBy: record.matchedBy,
    programId: record.programId,
    participantId: record.participantId,
    linkId,
    windowEndsAt: record.windowEndsAt,
    creditedAs: record.creditedAs,
    createdAt: record.createdAt,
  };
}

function decisionRow({ scope, record, trace, facts }: ConversionPlan): AttributionDecision {
  return {
    workspaceId: scope.workspaceId,
    mode: scope.mode,
    conversionId: record.id,
    trace,
    facts,
    createdAt: record.createdAt,
  };
}

function flagRows({ scope, record, flags }: ConversionPlan): object[] {
  return flags.map(({ rule, action, value, threshold }) => ({
    workspaceId: scope.workspaceId,
    mode: scope.mode,
    id: newId(),
    programId: record.programId,
    participantId: record.participantId,
    conversionId: record.id,
    rule,
    action,
    value,
    threshold,
    state: 'open',
    note: null,
    resolvedAt: null,
    occurredAt: record.occurredAt,
    createdAt: record.createdAt,
  }));
}

function eventRows({ scope, record, flags, requestId }: ConversionPlan): NewEventRow[] {
  const object = conversionObject(record);
  const row = () => ({
    workspaceId: scope.workspaceId,
    mode: scope.mode,
    id: newId(),
    objectId: record.id,
    occurredAt: record.createdAt,
    cause: null,
    requestId,
  });
  const created = { ...row(), type: 'conversion.created', object } as const;
  if (flags.length === 0) return [created];
  const fraud_flags = flags.map(({ rule, action, value, threshold }) => ({
    rule,
    action,
    value,
    threshold,
  }));
  const type = 'conversion.fraud_detected';
  return [created, { ...row(), type, object: { ...object, fraud_flags } }];
}
