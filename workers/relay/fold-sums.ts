import { foldAnalytics, restAfterFold } from '../../activities/analytics/fold';
import { foldCommissionCounts } from '../../activities/commissions/day-counts';
import type { Deps } from '../../runtime/process/deps';
import { counter } from '../../runtime/observe/metrics';
import { rest } from '../../runtime/load/rest';
import { runUntilStopped, type Stoppable } from '../../runtime/process/process';

/**
 * Folds what transactions have appended into what readers sum, about each second: clicks and facts
 * into the sums of analytics, changes of commissions into their counters by day.
 */
export function startFolder(deps: Deps): Stoppable {
  const folded = counter(deps.metrics, {
    name: 'analytics_folded_total',
    help: 'Clicks and facts added to the sums of analytics',
    zeros: [{}],
  });
  return runUntilStopped(async (signal) => {
    while (!signal.aborted) {
      const started = performance.now();
      await attempt(deps, 'analytics', async () =>
        folded.inc(await foldAnalytics(deps.db.manager)),
      );
      await attempt(deps, 'commissions', () => foldCommissionCounts(deps.db.manager));
      await rest(restAfterFold(performance.now() - started), signal);
    }
  });
}

/** One that fails does not hold up the other. */
async function attempt(deps: Deps, kind: string, fold: () => Promise<unknown>): Promise<void> {
  try {
    await fold();
  } catch (error) {
    deps.log.warn({ err: error, kind }, 'what was appended could not be folded');
  }
}
