import { setTimeout as pause } from 'node:timers/promises';
import { queryOne } from '../../entities/database/sql';
import type { Deps } from './deps';
import { gauge } from '../observe/metrics';

const maxTripMs = 500;

/**
 * Compares the process's clock with that of Postgres, at each look at its metrics: times of both stand in the same rows.
 * An answer that comes late tells nothing, and the last figure stands.
 */
export function watchClock({ db, clock, metrics }: Pick<Deps, 'db' | 'clock' | 'metrics'>): void {
  const ahead = gauge(metrics, {
    name: 'clock_ahead_seconds',
    help: "By how much the process's clock is ahead of that of Postgres; negative: behind",
    zeros: [{}],
  });
  Object.assign(ahead, {
    async collect() {
      const [asked, began] = [clock.now().getTime(), performance.now()];
      const look = queryOne<{ ms: number }>(
        db.manager,
        'SELECT (extract(epoch FROM clock_timestamp()) * 1000)::float8 AS ms',
      ).catch(() => undefined);
      const row = await Promise.race([look, pause(maxTripMs, undefined, { ref: false })]);
      if (row) ahead.set((asked + (performance.now() - began) / 2 - row.ms) / 1_000);
    },
  });
}
