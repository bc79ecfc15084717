import { needsAttention } from '../../activities/stripe/events/waiting';
import { outboxTopics } from '../../activities/journal/outbox';
import type { Deps } from '../../runtime/process/deps';
import { gauge, refreshed } from '../../runtime/process/metrics';
import { query, queryOne } from '../../entities/database/sql';

interface Figures {
  topic: string;
  rows: number;
  oldestSeconds: number;
  attempts: number;
  dead: number;
}

const gauges: { name: string; help: string; of: (row: Figures) => number }[] = [
  { name: 'outbox_backlog', help: 'Outbox rows by topic', of: ({ rows }) => rows },
  {
    name: 'outbox_oldest_seconds',
    help: 'Age of the oldest outbox row',
    of: ({ oldestSeconds }) => oldestSeconds,
  },
  {
    name: 'outbox_attempts_max',
    help: 'Most attempts of an outbox row',
    of: ({ attempts }) => attempts,
  },
  { name: 'outbox_dead', help: 'Outbox rows that the relay gave up', of: ({ dead }) => dead },
];

/** Figures of the outbox for /metrics. */
export function watchOutbox(deps: Pick<Deps, 'db' | 'metrics'>): void {
  watchStarts(deps);
  watchStripe(deps);
  const { metrics } = deps;
  const figures = gauges.map(({ name, help, of }) => ({
    of,
    figure: gauge(metrics, { name, help, labels: ['topic'] }),
  }));
  const collect = refreshed(async () => {
    const found = await readFigures(deps);
    for (const { figure, of } of figures) {
      for (const topic of outboxTopics) {
        const row = found.get(topic);
        figure.set({ topic }, row ? of(row) : 0);
      }
    }
  });
  for (const { figure } of figures) Object.assign(figure, { collect });
}

/** What a merchant has to look at: refunds, disputes and sales by code that no payment explains. */
function watchStripe({ db, metrics }: Pick<Deps, 'db' | 'metrics'>): void {
  const help = "Stripe's events that have waited for more than a day";
  const waiting = gauge(metrics, { name: 'stripe_events_waiting', help });
  const collect = refreshed(async () => {
    const row = await queryOne<{ events: number }>(
      db.manager,
      `SELECT count(*) AS events FROM stripe_events AS e
        WHERE ${needsAttention} AND e.received_at < now() - interval '1 day'`,
    );
    waiting.set(row?.events ?? 0);
  });
  Object.assign(waiting, { collect });
}

/** Each pending commission is to have its lifecycle within a minute: this names what waits longer. */
function watchStarts({ db, metrics }: Pick<Deps, 'db' | 'metrics'>): void {
  const help = 'How long the oldest pending commission has waited for its lifecycle to be started';
  const oldest = gauge(metrics, { name: 'lifecycle_start_oldest_seconds', help });
  const collect = refreshed(async () => {
    const row = await queryOne<{ seconds: number }>(
      db.manager,
      `SELECT extract(epoch FROM now() - o.created_at)::float8 AS seconds
         FROM outbox o JOIN commissions c ON c.id = o.ref AND c.status = 'pending'
        WHERE o.topic = 'commission' ORDER BY o.id LIMIT 1`,
    );
    oldest.set(row?.seconds ?? 0);
  });
  Object.assign(oldest, { collect });
}

async function readFigures({ db }: Pick<Deps, 'db'>): Promise<Map<string, Figures>> {
  const rows = await query<Figures>(
    db.manager,
    `SELECT topic, sum(rows)::bigint AS rows, sum(dead)::bigint AS dead, max(attempts) AS attempts,
       max(age)::float8 AS "oldestSeconds"
       FROM (
         SELECT topic, count(*) AS rows, 0 AS dead, max(attempts) AS attempts,
           coalesce(extract(epoch FROM now() - min(created_at)
             FILTER (WHERE attempts > 0 OR available_at <= now())), 0) AS age FROM outbox GROUP BY topic
         UNION ALL
         SELECT topic, 0, count(*), 0, 0 FROM outbox_dead GROUP BY topic) AS counted
      GROUP BY topic`,
  );
  return new Map(rows.map((row) => [row.topic, row]));
}
