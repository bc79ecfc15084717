import { figureReaders } from '../activities/figures/readers';
import { latestFigures, readDueFigures, readEveryMs } from '../activities/figures/read';
import { createFigures } from '../activities/figures/show';
import type { Deps } from '../runtime/process/deps';
import { rest } from '../runtime/load/rest';
import { runUntilStopped, type Stoppable } from '../runtime/process/process';

/**
 * Figures of the database for /metrics: every worker shows what was read last, and reads what is due
 * and nobody else has taken. While the database is away the last figures stand, and their age grows.
 */
export function startFigures(
  deps: Deps,
  // How much later than its reader another process shows a figure: `lookMs`.
  { everyMs = readEveryMs, lookMs = 5_000, readers = figureReaders } = {},
): Stoppable {
  const show = createFigures(deps.metrics, readers);
  return runUntilStopped(async (signal) => {
    while (!signal.aborted) {
      try {
        await readDueFigures(deps, readers, { everyMs });
        show(await latestFigures(deps.db.manager));
      } catch (error) {
        deps.log.debug({ err: error }, 'no figures could be read');
      }
      await rest(lookMs, signal);
    }
  });
}
