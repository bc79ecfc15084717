import {
  isAboutData,
  isLocked,
  isPassingOutage,
  RowsLockedError,
  violatedConstraint,
} from '../../entities/database/errors';
import {
  isInTransaction,
  prepared,
  query,
  transaction,
  type Db,
  type Tx,
} from '../../entities/database/sql';
import { AppError } from '../../entities/errors';
import { momentOf } from '../../entities/rules/attribution/attribute';
import { newId } from '../../entities/ids';
import type { Scope } from '../../entities/rules/values/mode';
import { recordOf, type Outcome } from '../../runtime/load/micro-batch';
import { retryFor, type RetryTime } from '../../runtime/load/retry';
import type { ConversionRecord } from './conversion';
import { isAttributable, type PlanInput } from './credit-of-report';
import { planConversion, type ConversionPlan } from './decide';
import { holdTwins } from './hold-twins';
import { writeConversions, type WrittenConversions } from './insert-with-commission';
import { arrivalOf, isLatestOf } from './known-customer';
import { findLookAlikes } from './look-alikes';
import { readConversionFacts, type ConversionFacts } from './read-signals';
import {
  aliasesOf,
  assertNotAhead,
  assertSignal,
  customerNamesOf,
  type ConversionReport,
  type ReportContext,
} from './report';
import { findConversion } from './rows';
import type { Submission } from './submission';
import { withTermsOfArrival } from './terms-of-arrival';

export type ReportOutcome = Outcome<ConversionRecord>;

/**
 * Records a purchase: conversion, decision, commission, ledger, events and outbox rows in one
 * transaction. What is told of the customer later may change the credit (docs/reference/payments.md,
 * Credit follows the facts). Throws, having stored nothing, NO_ATTRIBUTION_SIGNAL,
 * CONVERSION_DUPLICATE (with the `Location` of the first) or MODE_MISMATCH, in this order.
 */
export async function recordOne(
  db: Db,
  context: ReportContext,
  report: ConversionReport,
): Promise<ConversionRecord> {
  const [outcome] = await recordAll(db, [submissionOf(context, report)]);
  return recordOf(outcome);
}

/** Refuses what can be refused without reading the database. */
export function submissionOf(context: ReportContext, report: ConversionReport): Submission {
  const { scope, now, requestId } = context;
  assertNotAhead(report, now);
  assertSignal(report);
  return { scope, report, id: newId(), now, requestId };
}

/**
 * Records reports side by side in one commit; each has its own outcome. A lost connection is waited
 * out: the ids stay, so what the first attempt has committed after all is found and not doubled. A
 * report of which another transaction has an id ends in RowsLockedError, and holds up no other.
 */
export function recordAll(db: Db, submissions: Submission[]): Promise<ReportOutcome[]> {
  return waitingOutOutages(db, () => attempt(db, submissions));
}

/** A restart of the database fits into the waits. What is locked is retryWhileLocked's business. */
const passingOutages: RetryTime = {
  forMs: 5_000,
  isWorthIt: (error) => isPassingOutage(error) && !isLocked(error),
};

/** Does work whose ids are fixed again when its connection breaks. */
export function waitingOutOutages<T>(db: Db, work: () => Promise<T>): Promise<T> {
  // A broken connection loses all that an open transaction did before: only its owner can begin again.
  return isInTransaction(db) ? work() : retryFor(passingOutages, work);
}

async function attempt(db: Db, submissions: Submission[]): Promise<ReportOutcome[]> {
  const repeats = repeatsOfCustomers(submissions);
  if (repeats.size > 0) return inTurn(db, submissions, repeats);
  const facts = await readFacts(db, submissions);
  const planned = submissions.map((submission, index) => tryPlan(submission, facts[index]));
  const { plans, rivals } = firstOfEach(planned);
  try {
    const { isWritten, locked } = await write(db, plans);
    if (locked.size > 0) return await withoutLocked(db, submissions, locked);
    // What is known of the reports is out of date: it is read again.
    if (!isWritten) return await attempt(db, submissions);
  } catch (error) {
    if (!isAboutData(error)) throw error;
    // Somebody has made one of the customers meanwhile.
    if (namesOfCustomers.has(violatedConstraint(error) ?? '')) return attempt(db, submissions);
    // One report must not fail its neighbours: they go on one by one.
    if (submissions.length > 1) return await oneByOne(db, submissions);
    return [{ error: await refusalOf(db, plans[0], error) }];
  }
  return Promise.all(
    submissions.map(({ id }, index) =>
      outcomeOf(db, { id, planned: planned[index], rival: rivals.get(index) }),
    ),
  );
}

const namesOfCustomers = new Set(['uq_customer', 'uq_customer_alias']);

/** Sales of a customer who has one before them among these. */
function repeatsOfCustomers(submissions: readonly Submission[]): Set<string> {
  const seen = new Set<string>();
  const repeats = new Set<string>();
  for (const { scope, report, id } of submissions) {
    const keys = customerNamesOf(report).map((name) =>
      JSON.stringify([scope.workspaceId, scope.mode, name]),
    );
    if (keys.some((key) => seen.has(key))) repeats.add(id);
    for (const key of keys) seen.add(key);
  }
  return repeats;
}

/** What one sale of a customer earns depends on the one before: each is read after that is written. */
async function inTurn(
  db: Db,
  submissions: Submission[],
  repeats: ReadonlySet<string>,
): Promise<ReportOutcome[]> {
  const outcomes = new Map<string, ReportOutcome>();
  for (const isRepeat of [false, true]) {
    const some = submissions.filter(({ id }) => repeats.has(id) === isRepeat);
    const done = await attempt(db, some);
    some.forEach(({ id }, index) => outcomes.set(id, done[index] ?? lost));
  }
  return submissions.map(({ id }) => outcomes.get(id) ?? lost);
}

const lost: ReportOutcome = { error: new Error('a report without an outcome') };

/** The others go on; those that share an id with a locked one find it as they are read again. */
async function withoutLocked(
  db: Db,
  submissions: Submission[],
  locked: ReadonlySet<string>,
): Promise<ReportOutcome[]> {
  const free = submissions.filter(({ id }) => !locked.has(id));
  const done = free.length === 0 ? [] : await attempt(db, free);
  const outcomes = new Map(free.map(({ id }, index) => [id, done[index]]));
  const error = new RowsLockedError('an id of the payment is locked');
  return submissions.map(({ id }) => outcomes.get(id) ?? { error });
}

async function oneByOne(db: Db, submissions: Submission[]): Promise<ReportOutcome[]> {
  const outcomes: ReportOutcome[] = [];
  for (const submission of submissions) {
    outcomes.push(...(await attempt(db, [submission])));
  }
  return outcomes;
}

/** What the signals and customers of reports lead to: one answer for each, as of the time of the first. */
export function readSignals(
  db: Db,
  submissions: readonly Submission[],
): Promise<ConversionFacts[]> {
  const questions = submissions.map(({ scope, report }) => ({
    scope,
    clickId: report.clickId,
    promoCode: report.promoCode,
    creditTo: creditedTo(report),
    aliases: aliasesOf(report),
    customerId: report.customerId,
    customerNames: customerNamesOf(report),
    prospectHash: report.prospect?.hash ?? null,
  }));
  return readConversionFacts(db, questions, submissions[0]?.now ?? new Date(0));
}

/** All that reports are decided by, in their order: with sales that look like them, and terms of then. */
export async function readFacts(
  db: Db,
  submissions: readonly Submission[],
): Promise<ConversionFacts[]> {
  const known = await readSignals(db, submissions);
  const reported = submissions.flatMap(({ report, now }, index) => {
    const facts = known[index];
    return facts ? [{ report, now, facts }] : [];
  });
  const lookAlikes = await findLookAlikes(db, reported);
  const complete = known.map((facts, index) => ({ ...facts, lookAlikes: lookAlikes[index] ?? [] }));
  return Promise.all(
    complete.map(async (facts, index) => {
      const submission = submissions[index];
      return submission ? withTermsOfArrival(db, submission, facts) : facts;
    }),
  );
}

function creditedTo({ credit }: ConversionReport): string | null {
  return credit?.credit.kind === 'renewed' ? credit.credit.participantId : null;
}

type Planned = { plan: ConversionPlan } | { error: unknown };

function tryPlan(submission: Submission, facts: ConversionFacts | undefined): Planned {
  try {
    return { plan: planReport(submission, facts) };
  } catch (error) {
    return { error };
  }
}

/** The plan of a report, or its refusal as a throw. */
export function planReport(
  submission: Submission,
  facts: ConversionFacts | undefined,
): ConversionPlan {
  if (!facts) throw new Error('a report without facts');
  const report = inArrivalOrder(submission, facts);
  const input = { facts, ...submission, report };
  const occurred = momentOf(report.occurredAt, report.source, submission.now);
  const isTimeTold = submission.report.occurredAt !== null;
  if (report.credit === null && !isLatestOf(facts.customer, occurred, { isTimeTold })) {
    throw new OutOfOrderError();
  }
  assertRecordable(input);
  return planConversion(input);
}

/** Reports without a time that arrive side by side happened in the order in which they are recorded. */
function inArrivalOrder(
  { report, now }: Submission,
  { customer }: ConversionFacts,
): ConversionReport {
  const arrived = report.occurredAt === null ? arrivalOf(customer, now) : now;
  return arrived === now ? report : { ...report, occurredAt: arrived };
}

/** What refuses a report, in order: NO_ATTRIBUTION_SIGNAL, CONVERSION_DUPLICATE, MODE_MISMATCH. */
export function assertRecordable(input: PlanInput): void {
  const { facts, report, scope } = input;
  if (!isAttributable(input)) throw new AppError('NO_ATTRIBUTION_SIGNAL');
  if (facts.duplicateOf) throw new DuplicateOf(scope, facts.duplicateOf);
  // An id of the other mode in a processor's event is simply no click of ours.
  if (facts.isOtherMode && report.source === 'api') throw new AppError('MODE_MISMATCH');
}

/** The report lies before something that is known of its customer: their timeline decides it. */
export class OutOfOrderError extends Error {
  override readonly name = 'OutOfOrderError';
}

/** The first of the plans that share an id is written; the others are marked as its rivals. */
function firstOfEach(planned: readonly Planned[]): {
  plans: ConversionPlan[];
  rivals: Map<number, ConversionPlan>;
} {
  const owners = new Map<string, ConversionPlan>();
  const rivals = new Map<number, ConversionPlan>();
  const plans: ConversionPlan[] = [];
  planned.forEach((one, index) => {
    if (!('plan' in one)) return;
    const { plan } = one;
    const { scope, aliases } = plan;
    const keys = aliases.map((alias) => JSON.stringify([scope.workspaceId, scope.mode, alias]));
    const owner = keys.map((key) => owners.get(key)).find((known) => known !== undefined);
    if (owner) {
      rivals.set(index, owner);
      return;
    }
    for (const key of keys) owners.set(key, plan);
    plans.push(plan);
  });
  return { plans, rivals };
}

/** Inside an open transaction a refusal must leave it usable: a savepoint goes before. */
async function write(db: Db, plans: ConversionPlan[]): Promise<WrittenConversions> {
  if (plans.length === 0) return { isWritten: true, locked: new Set() };
  const waits = isInTransaction(db);
  const isPlain = plans.every(({ firstOf, twin }) => !firstOf && !twin);
  if (!waits && isPlain) return writeConversions(db, plans, { waits });
  try {
    return await transaction(db, (tx) => writeWithMore(tx, plans, waits));
  } catch (error) {
    if (error instanceof NothingWrittenError) return error.outcome;
    throw error;
  }
}

/** Programmes that the plans rest on are held, and change with them or not at all. */
async function writeWithMore(
  tx: Tx,
  plans: ConversionPlan[],
  waits: boolean,
): Promise<WrittenConversions> {
  const first = plans.filter(({ firstOf }) => firstOf);
  assertWhole(await holdCurrencies(tx, first, !waits));
  assertWhole(await holdTwins(tx, plans, { waits }));
  return assertWhole(await writeConversions(tx, plans, { waits }));
}

/** Takes back what the transaction has written so far. */
function assertWhole(outcome: WrittenConversions): WrittenConversions {
  if (!outcome.isWritten || outcome.locked.size > 0) throw new NothingWrittenError(outcome);
  return outcome;
}

class NothingWrittenError extends Error {
  override readonly name = 'NothingWrittenError';

  constructor(readonly outcome: WrittenConversions) {
    super('the plans rest on what has changed, or is locked');
  }
}

/**
 * The first commission of a programme fixes its currency: no change of it slips in beside. Nothing
 * is to be written when one has, since the programme was read, or while one is under way.
 */
async function holdCurrencies(
  tx: Tx,
  first: readonly ConversionPlan[],
  isOwn: boolean,
): Promise<WrittenConversions> {
  if (first.length === 0) return { isWritten: true, locked: new Set() };
  const ids = first.map(({ firstOf }) => firstOf?.programId);
  const rows = await prepared<{ id: string; currency: string }>(tx, {
    name: isOwn ? 'hold_free_currencies' : 'hold_currencies',
    text: `SELECT id, currency FROM programs WHERE id = ANY ($1::uuid[])
            ORDER BY id FOR KEY SHARE ${isOwn ? 'SKIP LOCKED' : ''}`,
    values: [ids],
  });
  const currencies = new Map(rows.map(({ id, currency }) => [id, currency]));
  const unseen = first.filter(({ firstOf }) => !currencies.has(firstOf?.programId ?? ''));
  return {
    isWritten: first.every(
      ({ firstOf }) => currencies.get(firstOf?.programId ?? '') === firstOf?.currency,
    ),
    locked: new Set(isOwn ? unseen.map(({ record }) => record.id) : []),
  };
}

interface PlannedReport {
  id: string;
  planned: Planned | undefined;
  rival: ConversionPlan | undefined;
}

async function outcomeOf(db: Db, { id, planned, rival }: PlannedReport): Promise<ReportOutcome> {
  if (rival) return { error: new DuplicateOf(rival.scope, rival.record.id) };
  if (!planned) throw new Error('a report without a plan');
  if ('plan' in planned) return { record: planned.plan.record };

  // The id is ours alone: an attempt before this one was committed, its answer was lost.
  const { error } = planned;
  if (!(error instanceof DuplicateOf) || error.conversionId !== id) return { error };
  const record = await findConversion(db, error.scope, id);
  return record ? { record } : { error };
}

/** Reports that were read side by side meet here: the second one finds the first one's id. */
async function refusalOf(
  db: Db,
  plan: ConversionPlan | undefined,
  error: unknown,
): Promise<unknown> {
  if (!plan || violatedConstraint(error) !== 'uq_conversion_external_transaction') return error;
  const { workspaceId, mode } = plan.scope;
  const [first] = await query<{ id: string }>(
    db,
    `SELECT conversion_id AS id FROM conversion_aliases
      WHERE workspace_id = $1 AND mode = $2 AND alias = ANY ($3::text[]) LIMIT 1`,
    [workspaceId, mode, plan.aliases],
  );
  return first ? new DuplicateOf(plan.scope, first.id) : error;
}

class DuplicateOf extends AppError {
  constructor(
    readonly scope: Scope,
    readonly conversionId: string,
  ) {
    super('CONVERSION_DUPLICATE', {
      headers: { Location: `/api/v1/conversions/${conversionId}` },
    });
  }
}
