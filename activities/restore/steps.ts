import type { Deps } from '../../runtime/process/deps';
import { rebuildAnalytics } from '../analytics/rebuild';
import { readLedger, replayErasures, type LedgerLine } from '../erasure/replay';
import type { Cause } from '../journal/cause';
import { catchUp, lineOfCaughtUp, type CaughtUp } from '../billing/catch-up';
import { findForgotten, raiseLostBatches, stopTries, type ShippedBatch } from '../sending/restored';
import { batchesIn, type ShippedLine } from './audit-lines';
import { beginRestore, numbersSkipped } from './begin';
import { findOrphans } from './orphans';
import { endRestoredSessions } from './sessions';
import { amountText } from '../../entities/rules/payouts/files';
import { minuteMs } from '../../entities/rules/values/duration';

export interface RestoreCommand {
  /** The moment that the database was returned to. */
  since: Date;
  /** The ledger of erasures that was kept outside of the database; null when there is none. */
  erasures: readonly LedgerLine[] | null;
  /** What audit lines tell that were shipped out of the database; null when there are none. */
  changes: readonly ShippedLine[] | null;
}

/** What a step did, in lines for an operator; not whole when it has to be run again. */
export interface StepReport {
  step: string;
  lines: readonly string[];
  isWhole: boolean;
}

type RestoreDeps = Pick<Deps, 'db' | 'vault' | 'config' | 'temporal'>;

/**
 * What follows a return of the database to an earlier moment, step by step, each reported when it is
 * done. Each may be repeated to the same end. A step that cannot reach another service leaves the
 * next ones to go on.
 */
export async function* afterRestore(
  deps: RestoreDeps,
  cause: Cause,
  command: RestoreCommand,
): AsyncGenerator<StepReport> {
  const db = deps.db.manager;
  const { since } = command;
  // Five minutes more: events were on their way to us at the moment of the backup.
  const from = new Date(since.getTime() - 5 * minuteMs);

  const { notedAt, isNew } = await beginRestore(db, cause, since);
  yield done('payouts', 'are refused until aps restored --release-payouts, unless that ran');
  const moved = `moved on by ${numbersSkipped.toLocaleString('en-GB')}`;
  yield done('numbers', isNew ? moved : `were moved on at ${notedAt.toISOString()}`);
  const ended = await endRestoredSessions(db, { notedAt, now: cause.now });
  yield done('sessions', `${ended} ended`);
  yield await eraseAgain(deps, cause, command.erasures);
  yield reportOfStripe(await catchUp(deps, cause, { since: from }));
  yield await sumAgain(deps, since);
  yield listChanges(command);
  yield await raiseLost(deps, cause, { changes: command.changes, notedAt });
  yield await listOrphans(deps, from);
}

function done(step: string, ...lines: string[]): StepReport {
  return { step, lines, isWhole: true };
}

async function eraseAgain(
  deps: RestoreDeps,
  cause: Cause,
  given: RestoreCommand['erasures'],
): Promise<StepReport> {
  const own = await readLedger(deps.db.manager);
  const erased = await replayErasures(deps, cause, [...(given ?? []), ...own]);
  const told = `${erased} of ${(given ?? []).length + own.length} were there and are erased now`;
  const missing = 'no file given (--erasures): who was erased since the backup is here again';
  return done('erasures', told, ...(given === null ? [missing] : []));
}

function reportOfStripe(connections: readonly CaughtUp[]): StepReport {
  const lines = connections.map(lineOfCaughtUp);
  const isWhole = connections.every(({ failure }) => failure === null);
  return { step: 'stripe', lines: lines.length > 0 ? lines : ['no connection has a key'], isWhole };
}

async function sumAgain({ db }: RestoreDeps, since: Date): Promise<StepReport> {
  let sums = 0;
  await rebuildAnalytics(db.manager, { since, before: null }, (part) => {
    sums += part.sums;
  });
  return done('sums', `${sums} rebuilt`);
}

function listChanges({ changes }: RestoreCommand): StepReport {
  if (changes === null) {
    return done('changes', 'no file given (--audit): keys and members are as they were then');
  }
  return done('changes', `${changes.length} to do again by hand`, ...changes.map(lineOf));
}

/** What was given to a provider since then, and looks payable again. */
async function raiseLost(
  { db }: RestoreDeps,
  { now }: Cause,
  { changes, notedAt }: { changes: RestoreCommand['changes']; notedAt: Date },
): Promise<StepReport> {
  const stopped = await stopTries(db.manager, { now, notedAt });
  const lost = changes === null ? [] : batchesIn(changes);
  const raised = await raiseLostBatches(db.manager, { now, notedAt }, lost);
  const told = `${stopped + raised} items of payouts wait for a look: they may have been paid`;
  if (changes !== null)
    return done('batches', told, ...forgottenLines(await findForgotten(db.manager, lost)));
  const missing = 'no file given (--audit): compare with the provider before you send';
  return done('batches', told, missing);
}

/** Nothing holds back what they paid: only who releases payouts can. */
function forgottenLines(forgotten: readonly ShippedBatch[]): string[] {
  if (forgotten.length === 0) return [];
  const { length } = forgotten;
  const told = `batches of payouts that are not here: ${length}; what they may have paid looks payable again`;
  return [told, ...forgotten.map(lineOfBatch)];
}

function lineOfBatch(batch: ShippedBatch): string {
  const { payoutId, senderBatchId, providerBatchId, items, amountCents, currency } = batch;
  const isTold = typeof amountCents === 'number';
  const sum = isTold ? `${amountText({ amountCents, currency })} ${currency}` : currency;
  const [sender, provider] = [senderBatchId ?? '-', providerBatchId ?? '-'];
  return `payout ${payoutId}  batch ${sender}  its provider's ${provider}  ${items ?? '?'} items  ${sum}`;
}

function lineOf({ at, action, targetType, targetId, actorId }: ShippedLine): string {
  const by = actorId === null ? [] : [`by ${actorId}`];
  return [at.toISOString(), action, targetType, targetId ?? '-', ...by].join('  ');
}

async function listOrphans({ db, temporal }: RestoreDeps, since: Date): Promise<StepReport> {
  try {
    // Says within seconds that nobody is there; a list of millions of workflows takes minutes.
    await temporal.connection.ensureConnected();
    const orphans = await temporal.within(15 * minuteMs, (client) =>
      findOrphans({ db: db.manager, temporal: { client } }, since),
    );
    return done('orphans', `${orphans.length} open workflows have no row`, ...orphans);
  } catch (error) {
    const { message } = error as Error;
    return { step: 'orphans', lines: [`Temporal did not answer: ${message}`], isWhole: false };
  }
}
