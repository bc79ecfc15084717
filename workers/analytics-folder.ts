import { setTimeout as pause } from 'node:timers/promises';
import { foldAnalytics, restAfterFold } from '../activities/analytics/fold';
import type { Deps } from '../activities/runtime/process/deps';
import { counter, gauge } from '../activities/runtime/process/metrics';
import { queryOne } from '../entities/database/sql';
import type { Stoppable } from './relay';

/** Folds what was recorded into the sums of analytics, about each second; see foldAnalytics. */
export function startAnalyticsFolder(deps: Deps): Stoppable {
  const stop = new AbortController();
  const folded = counter(deps.metrics, {
    name: 'analytics_folded_total',
    help: 'Clicks and facts added to the sums of analytics',
  });
  const running = (async () => {
    while (!stop.signal.aborted) {
      const started = performance.now();
      try {
        folded.inc(await foldAnalytics(deps.db.manager));
      } catch (error) {
        deps.log.warn({ err: error }, 'analytics could not be folded');
      }
      const rest = restAfterFold(performance.now() - started);
      await pause(rest, undefined, { signal: stop.signal }).catch(() => undefined);
    }
  })();
  return {
    async stop() {
      stop.abort();
      await running;
    },
  };
}

/** How much readers have to add up by themselves, read when /metrics is asked for. */
export function watchAnalytics(deps: Deps): void {
  const waiting = gauge(deps.metrics, {
    name: 'analytics_unfolded',
    help: 'Clicks and facts that are not in the sums yet',
    labels: ['kind'],
  });
  Object.assign(waiting, {
    collect: async () => {
      const row = await queryOne<{ clicks: number; facts: number }>(
        deps.db.manager,
        `SELECT (SELECT count(*) FROM clicks
                  WHERE recorded_in >= (SELECT folded_before FROM analytics_state)) AS clicks,
                (SELECT count(*) FROM analytics_facts) AS facts`,
      ).catch(() => undefined);
      if (!row) return;
      waiting.set({ kind: 'clicks' }, row.clicks);
      waiting.set({ kind: 'facts' }, row.facts);
    },
  });
}
