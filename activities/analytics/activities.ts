import { Context } from '@temporalio/activity';
import type { Deps } from '../../runtime/process/deps';
import { gauge } from '../../runtime/observe/metrics';
import { dropOrphans, findDrift } from './reconcile';
import { hourMs } from '../../entities/rules/values/duration';

/** The hours of a day before `hour` are compared, and that much differed. */
interface Compared {
  hour: number;
  drift: number;
}

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
     * and in the log, and returns their number. `aps rebuild-analytics` sums such a day again. An
     * attempt goes on near the hour that the last one came to.
     */
    async reconcileAnalytics({ daysAgo }: { daysAgo: number }): Promise<number> {
      const context = Context.current();
      const today = Math.floor(deps.clock.now().getTime() / (24 * hourMs));
      const start = (today - daysAgo) * 24 * hourMs;
      const day = new Date(start).toISOString();
      let { hour, drift } = (context.info.heartbeatDetails ?? { hour: 0, drift: 0 }) as Compared;
      for (; hour < 24; hour += 1) {
        context.heartbeat({ hour, drift } satisfies Compared);
        const found = await findDrift(db, new Date(start + hour * hourMs));
        for (const one of found) deps.log.error({ day, ...one }, 'a sum of analytics is wrong');
        drift += found.length;
      }
      drifted.set({ days_ago: String(daysAgo) }, drift);
      return drift;
    },

    /** A batch of the sums of programmes that are gone; returns the number of rows, 0 at the end. */
    dropAnalyticsOrphans: (): Promise<number> => dropOrphans(db),
  };
}
