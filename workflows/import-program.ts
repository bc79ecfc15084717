import {
  allHandlersFinished,
  condition,
  continueAsNew,
  defineQuery,
  defineSignal,
  proxyActivities,
  setCurrentDetails,
  setHandler,
  workflowInfo,
} from '@temporalio/workflow';
import type { Activities } from '../activities';
import type { ImportTurn } from '../activities/imports/turn';
import { changedSignalName, type ImportProgramInput } from '../runtime/temporal/messages';
import { detailsOf, instant } from './operators';

/** The import was changed: stopped, cancelled, or given more to do. */
const changedSignal = defineSignal(changedSignalName);
export const importTurnQuery = defineQuery<ImportTurn | null>('progress');

/** A turn works for some seconds and reports each batch: a dead worker is seen soon. */
const { importTurn } = proxyActivities<Activities>({
  startToCloseTimeout: '2m',
  heartbeatTimeout: '30s',
  summary: 'Reads, books or takes back for some seconds',
  retry: { initialInterval: '200ms', backoffCoefficient: 2, maximumInterval: '30s' },
});

/**
 * The work on an import: it is read, booked or taken back in turns of bounded batches. What is to be
 * done, and how far it has come, is a fact of the database; the run ends when nothing is.
 */
export async function importProgram(input: ImportProgramInput): Promise<ImportTurn> {
  const { importId, turnsPerRun = Infinity } = input;
  let changed = false;
  let turn: ImportTurn | null = null;
  setHandler(changedSignal, () => {
    changed = true;
  });
  setHandler(importTurnQuery, () => turn);
  const since = instant();

  for (let count = 0; count < turnsPerRun && !workflowInfo().continueAsNewSuggested; count += 1) {
    changed = false;
    turn = await importTurn({ importId });
    setCurrentDetails(describe(importId, turn, since));
    if (!turn.isDone) {
      if (turn.waitMs > 0) await condition(() => changed, turn.waitMs);
      continue;
    }
    await condition(allHandlersFinished);
    if (!changed) return turn;
  }
  return continueAsNew<typeof importProgram>(input);
}

/** What an operator reads in Temporal Web. */
function describe(importId: string, turn: ImportTurn, since: string): string {
  const { status, step, done, total, waitMs, isDone } = turn;
  const place = step === null ? '' : `, at ${step}: ${done}${total === null ? '' : ` of ${total}`}`;
  return detailsOf({
    about: `Import ${importId}`,
    now: `${status ?? 'gone'}${place}.`,
    since,
    next: isDone
      ? 'The run ends.'
      : waitMs > 0
        ? 'It waits its turn.'
        : 'The next batches, at once.',
    updates: [],
  });
}
