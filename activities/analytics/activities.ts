import type { Deps } from '../runtime/process/deps';
import { gauge } from '../runtime/process/metrics';
import { dropOrphans, findDrift, type Drift } from './reconcile';

const hourMs = 3_600_000;
const hoursAtOnce = 24;

export function createAnalyticsActivities(deps: Deps) {
  const db = deps.db.manager;
  const drifted = gauge(deps.metrics, {
    name: 'analytics_drift',
    help: 'Sums of analytics that differ from the raw rows, by the age of the day that was compared',
    labels: ['days_ago'],
  });

  return {
    /**
     * Compares a UTC day, that many days ago, with its raw rows; reports what differs in the metric
     * and in the log, and returns their number. `npm run analytics:rebuild` sums such a day again.
     */
    async reconcileAnalytics({ daysAgo }: { daysAgo: number }): Promise<number> {
      const today = Math.floor(deps.clock.now().getTime() / (24 * hourMs));
      const start = (today - daysAgo) * 24 * hourMs;
      const drift: Drift[] = [];
      for (let hour = 0; hour < hoursAtOnce; hour += 1) {
        drift.push(...(await findDrift(db, new Date(start + hour * hourMs))));
      }
      drifted.set({ days_ago: String(daysAgo) }, drift.length);
      const day = new Date(start).toISOString();
      for (const one of drift) deps.log.error({ day, ...one }, 'a sum of analytics is wrong');
      return drift.length;
    },

    /** Sums of programmes that are gone; returns the number of rows. */
    dropAnalyticsOrphans: (): Promise<number> => dropOrphans(db),
  };
}
