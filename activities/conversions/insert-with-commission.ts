import {
  insertOf,
  layOut,
  parametersOf,
  rowsOf,
  type RowSet,
  type Table,
} from '../../entities/database/bulk-rows';
import { tableOf } from '../../entities/database/columns';
import { newId } from '../../entities/ids';
import { AttributionDecision } from '../../entities/tables/conversions/attribution-decision.entity';
import { ConversionAlias } from '../../entities/tables/conversions/conversion-alias.entity';
import { Conversion } from '../../entities/tables/conversions/conversion.entity';
import { FraudFlag } from '../../entities/tables/conversions/fraud-flag.entity';
import { prepared, type Db } from '../../entities/database/sql';
import { seenSql } from '../customers/write';
import type { CommissionChange } from '../commissions/commission-change';
import { changeRows, commissionTables } from '../commissions/write';
import { announcementsOf, journalTables, type NewEventRow } from '../journal/rows';
import type { ConversionPlan } from './decide';
import { aliasLockKey } from './alias-locks';
import { conversionObject } from './conversion';
import { customerParts, customerRows, customerTables, takenNames } from './keep-customers';

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

const flags = tableOf(FraudFlag);
const ofCustomers = Object.keys(customerTables);

const kinds = {
  plain,
  flagged: { ...plain, flags },
  plain_of_customers: { ...plain, ...customerTables },
  flagged_of_customers: { ...plain, flags, ...customerTables },
};

type Kind = keyof typeof kinds;
type Sets = Record<string, RowSet> & { aliases: RowSet };
type SetsOfCustomers = Sets & Record<keyof typeof customerTables, RowSet>;

/**
 * The parameters behind the rows name the participants that the rows refer to, then conversions, the
 * customers whom they rest on or change and what was seen of those. There are no foreign keys, so the statement
 * looks for itself whether all are there and as they were, and writes nothing when one is not.
 * `locked` gives the conversions, or new customers, that another transaction has something of; then nothing is
 * written either.
 */
function statementOf(sets: Sets, { waits }: { waits: boolean }): string {
  const participants = 1 + Math.max(...Object.values(sets).map(lastParameter));
  const [of, customers, seen] = [1, 2, 3].map((further) => `$${participants + further}`);
  const isWhole = 'NOT EXISTS (SELECT 1 FROM amiss) AND NOT EXISTS (SELECT 1 FROM locked)';
  const isOfCustomers = hasCustomers(sets);
  const parts = Object.entries(sets)
    .filter(([kind]) => !ofCustomers.includes(kind))
    .map(([kind, set]) => `new_${kind} AS (${insertOf(set, isWhole)})`);
  const lists = [
    'SELECT conversion_id FROM rested WHERE id NOT IN (SELECT id FROM held)',
    ...(isOfCustomers ? [takenNames(sets, { waits })] : []),
    waits ? waitedFor(sets) : lockedBy(sets),
  ];
  return `
    WITH rested AS MATERIALIZED (
      SELECT * FROM unnest((SELECT ${of}::uuid[]), (SELECT ${customers}::uuid[]),
                           (SELECT ${seen}::text[])) AS r (conversion_id, id, seen)),
    held AS MATERIALIZED (
      SELECT u.id, u.seen
        FROM (SELECT DISTINCT id FROM rested ORDER BY id) AS r
        JOIN LATERAL (
          SELECT u.id, ${seenSql} AS seen FROM customers AS u WHERE u.id = r.id LIMIT 1
             FOR ${isOfCustomers ? 'UPDATE' : 'KEY SHARE'} ${waits ? '' : 'SKIP LOCKED'}) AS u ON true),
    amiss AS MATERIALIZED (
      SELECT rested.id FROM rested JOIN held USING (id) WHERE held.seen <> rested.seen
      UNION ALL
      SELECT named.id FROM unnest((SELECT $${participants}::uuid[])) AS named (id)
       WHERE NOT EXISTS (SELECT 1 FROM participants AS p WHERE p.id = named.id)),
    locked (id) AS MATERIALIZED (${lists.join(' UNION ALL ')}),
    ${[...parts, ...(isOfCustomers ? customerParts(sets, isWhole) : [])].join(',\n')}
    SELECT (SELECT count(*) FROM amiss) AS amiss,
           (SELECT coalesce(array_agg(id), '{}') FROM locked) AS locked`;
}

function hasCustomers(sets: Sets): sets is SetsOfCustomers {
  return ofCustomers.every((kind) => kind in sets);
}

function lastParameter({ first, columns }: RowSet): number {
  return first + Object.keys(columns).length;
}

/** An open transaction may wait for its ids, but holds their locks like any other writer of one. */
const waitedFor = ({ aliases }: Sets): string => `
  SELECT r.conversion_id FROM ${rowsOf(aliases)}
   WHERE pg_advisory_xact_lock(${aliasLockKey('r.workspace_id', 'r.mode', 'r.alias')}) IS NULL`;

/** An id that another transaction is writing: an insert of the same would wait for its end. */
const lockedBy = ({ aliases }: Sets): string => `
  SELECT DISTINCT r.conversion_id FROM ${rowsOf(aliases)}
   WHERE NOT pg_try_advisory_xact_lock(${aliasLockKey('r.workspace_id', 'r.mode', 'r.alias')})`;

const setsOf = mapKinds((tables) => layOut(tables) as Sets);
const statements = {
  waiting: mapKinds((_, kind) => statementOf(setsOf[kind], { waits: true })),
  free: mapKinds((_, kind) => statementOf(setsOf[kind], { waits: false })),
};

function mapKinds<T>(of: (tables: Record<string, Table>, kind: Kind) => T): Record<Kind, T> {
  const made = Object.entries(kinds).map(([kind, tables]) => [kind, of(tables, kind as Kind)]);
  return Object.fromEntries(made) as Record<Kind, T>;
}

export interface WrittenConversions {
  isWritten: boolean;
  /** Conversions of whose ids another transaction has one at this moment. */
  locked: Set<string>;
}

/**
 * Writes conversions with everything that follows from them: one statement, one commit, or nothing
 * of it. An id that is known already fails it, by uq_conversion_external_transaction. Unless it
 * `waits`, as part of an open transaction may, it names what others have locked. With
 * nothing locked and nothing written a partner is gone since the plans were made, as a reset of test
 * data takes them, or a customer on whom a plan rests is another's now, or has paid before.
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
  const customers = customerRows(plans);
  const kind = kindOf(plans, flags);
  const way = waits ? 'waiting' : 'free';
  const participants = [...new Set(plans.flatMap(({ record }) => record.participantId ?? []))];
  const params = parametersOf(setsOf[kind], { ...rows, flags, ...customers.rows });
  const [written] = await prepared<{ amiss: number; locked: string[] }>(db, {
    name: `write_conversions_${kind}_${way}`,
    text: statements[way][kind],
    values: [...params, participants, ...restedOn(plans)],
  });
  const locked = new Set((written?.locked ?? []).map((id) => customers.conversionOf.get(id) ?? id));
  return { isWritten: written?.amiss === 0 && locked.size === 0, locked };
}

/** Most reports raise no flag, and many tell nothing new of a customer: their statement has no part for it. */
function kindOf(plans: readonly ConversionPlan[], flags: readonly object[]): Kind {
  const isOfCustomers = plans.some(({ customer }) => customer !== null);
  if (flags.length > 0) return isOfCustomers ? 'flagged_of_customers' : 'flagged';
  return isOfCustomers ? 'plain_of_customers' : 'plain';
}

/** Conversions, the customers whom they rest on or change, and what was seen of those. */
function restedOn(plans: readonly ConversionPlan[]): [string[], string[], string[]] {
  const resting = plans.flatMap(({ record, restsOn, customer }) => {
    const seen = restsOn ?? customer?.known;
    return seen ? [{ conversionId: record.id, ...seen }] : [];
  });
  return [
    resting.map(({ conversionId }) => conversionId),
    resting.map(({ id }) => id),
    resting.map(({ seen }) => seen),
  ];
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
