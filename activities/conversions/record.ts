import { setTimeout as sleep } from 'node:timers/promises';
import {
  isAboutData,
  isHeldUp,
  isPassingOutage,
  violatedConstraint,
} from '../../entities/database/errors';
import { AppError } from '../../entities/errors';
import type { Scope } from '../../entities/rules/values/mode';
import { type Db, query, transaction, type Tx } from '../../entities/database/sql';
import { findConversion } from './rows';
import { readConversionFacts, type ConversionFacts } from './read-signals';
import { aliasesOf, planConversion, type ConversionPlan, type ConversionReport } from './decide';
import type { ConversionRecord } from './conversion';
import { writeConversions } from './insert';

/** A report on its way, under the id that its conversion will have. */
export interface Submission {
  scope: Scope;
  report: ConversionReport;
  id: string;
  now: Date;
}

export type Outcome = { record: ConversionRecord } | { error: unknown };

/** Waits before further attempts: a restart of the database fits into their sum. */
const patienceMs = [100, 300, 1_000, 3_000];

/**
 * Records reports side by side in one commit; each has its own outcome. A lost connection is waited
 * out: the ids stay, so what the first attempt has committed after all is found and not doubled.
 */
export function recordAll(db: Db, submissions: Submission[]): Promise<Outcome[]> {
  return patiently(db, () => attempt(db, submissions));
}

/** Does work whose ids are fixed again when its connection breaks. */
export async function patiently<T>(db: Db, work: () => Promise<T>): Promise<T> {
  for (const waitMs of [...patienceMs, null]) {
    try {
      return await work();
    } catch (error) {
      // In an open transaction everything before is lost too: only its owner can begin again.
      // What other work held up is tried again by whoever can do so without holding up others.
      const isPassing = isPassingOutage(error) && !isHeldUp(error);
      const canRepeat = isPassing && !db.queryRunner?.isTransactionActive;
      if (!canRepeat || waitMs === null) throw error;
      await sleep(waitMs);
    }
  }
  throw new Error('unreachable: the last attempt returns or throws');
}

async function attempt(db: Db, submissions: Submission[]): Promise<Outcome[]> {
  const facts = await readFacts(db, submissions);
  const decisions = submissions.map((submission, index) => tryDecide(submission, facts[index]));
  const { plans, rivals } = firstOfEach(decisions);
  try {
    // What is known of the reports is out of date: it is read again.
    if (plans.length > 0 && !(await write(db, plans))) return await attempt(db, submissions);
  } catch (error) {
    if (!isAboutData(error)) throw error;
    // One report must not fail its neighbours: they go on one by one.
    if (submissions.length > 1) return await oneByOne(db, submissions);
    return [{ error: await refusalOf(db, plans[0], error) }];
  }
  return Promise.all(
    submissions.map(({ id }, index) =>
      outcomeOf(db, { id, decision: decisions[index], rival: rivals.get(index) }),
    ),
  );
}

async function oneByOne(db: Db, submissions: Submission[]): Promise<Outcome[]> {
  const outcomes: Outcome[] = [];
  for (const submission of submissions) outcomes.push(...(await attempt(db, [submission])));
  return outcomes;
}

/** One answer for each submission, in their order, as of the time of the first. */
export function readFacts(db: Db, submissions: readonly Submission[]): Promise<ConversionFacts[]> {
  const questions = submissions.map(({ scope, report }) => ({
    scope,
    clickId: report.clickId,
    promoCode: report.promoCode,
    creditTo: report.credit?.participantId ?? null,
    aliases: aliasesOf(report),
    customerId: report.customerId,
    prospectHash: report.prospect?.hash ?? null,
  }));
  return readConversionFacts(db, questions, submissions[0]?.now ?? new Date(0));
}

type Decision = { plan: ConversionPlan } | { error: unknown };

function tryDecide(submission: Submission, facts: ConversionFacts | undefined): Decision {
  try {
    return { plan: decide(submission, facts) };
  } catch (error) {
    return { error };
  }
}

/** The plan of a report, or its refusal as a throw. */
export function decide(submission: Submission, facts: ConversionFacts | undefined): ConversionPlan {
  if (!facts) throw new Error('a report without facts');
  if (facts.duplicateOf) throw new DuplicateOf(submission.scope, facts.duplicateOf);
  // An id of the other mode in a processor's event is simply no click of ours.
  if (facts.isOtherMode && submission.report.source === 'api') throw new AppError('MODE_MISMATCH');
  return planConversion({ ...submission, facts });
}

/** Of plans that share an id the first is written; the others are marked as its rivals. */
function firstOfEach(decisions: readonly Decision[]): {
  plans: ConversionPlan[];
  rivals: Map<number, ConversionPlan>;
} {
  const owners = new Map<string, ConversionPlan>();
  const rivals = new Map<number, ConversionPlan>();
  const plans: ConversionPlan[] = [];
  decisions.forEach((decision, index) => {
    if (!('plan' in decision)) return;
    const { scope, aliases } = decision.plan;
    const keys = aliases.map((alias) => JSON.stringify([scope.workspaceId, scope.mode, alias]));
    const owner = keys.map((key) => owners.get(key)).find((plan) => plan !== undefined);
    if (owner) {
      rivals.set(index, owner);
      return;
    }
    for (const key of keys) owners.set(key, decision.plan);
    plans.push(decision.plan);
  });
  return { plans, rivals };
}

/** Inside an open transaction a refusal must leave it usable: a savepoint goes before. */
function write(db: Db, plans: ConversionPlan[]): Promise<boolean> {
  const first = plans.flatMap((plan) => plan.firstOf ?? []);
  if (!db.queryRunner && first.length === 0) return writeConversions(db, plans);
  return transaction(db, async (tx) => {
    return (await holdCurrencies(tx, first)) && writeConversions(tx, plans);
  });
}

/**
 * The first commission of a programme fixes its currency: no change of it slips in beside. False
 * when one has, since the programme was read.
 */
async function holdCurrencies(
  tx: Tx,
  first: readonly NonNullable<ConversionPlan['firstOf']>[],
): Promise<boolean> {
  if (first.length === 0) return true;
  const rows = await query<{ id: string; currency: string }>(
    tx,
    `SELECT id, currency FROM programs WHERE id = ANY ($1::uuid[]) ORDER BY id FOR KEY SHARE`,
    [first.map(({ programId }) => programId)],
  );
  const currencies = new Map(rows.map(({ id, currency }) => [id, currency]));
  return first.every(({ programId, currency }) => currencies.get(programId) === currency);
}

interface Judged {
  id: string;
  decision: Decision | undefined;
  rival: ConversionPlan | undefined;
}

async function outcomeOf(db: Db, { id, decision, rival }: Judged): Promise<Outcome> {
  if (rival) return { error: new DuplicateOf(rival.scope, rival.record.id) };
  if (!decision) throw new Error('a report without a decision');
  if ('plan' in decision) return { record: decision.plan.record };

  // The id is ours alone: an attempt before this one was committed, its answer was lost.
  const { error } = decision;
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
