import { query, queryOne, type Db } from '../../entities/database/sql';
import { counted, each, maxCounted, zeroOf, type FigureReader, type Sample } from './reader';

const statuses = ['pending', 'retrying', 'dead_letter'] as const;

interface Backlog {
  pending: number;
  retrying: number;
  deadLetters: number;
  failingEndpoints: number;
}

const backlog = `
  SELECT count(*) FILTER (WHERE status = 'pending') AS pending,
    count(*) FILTER (WHERE status = 'retrying') AS retrying,
    (SELECT count(*) FROM (SELECT 1 FROM webhook_deliveries
      WHERE status = 'dead_letter' LIMIT ${maxCounted}) AS few) AS "deadLetters",
    (SELECT count(*) FROM (SELECT 1 FROM webhook_endpoints
      WHERE failures_in_row > 0 AND deleted_at IS NULL LIMIT ${maxCounted}) AS few)
      AS "failingEndpoints"
    FROM (SELECT status FROM webhook_deliveries
           WHERE status IN ('pending', 'retrying') LIMIT ${maxCounted}) AS open`;

const endpointsAtOnce = 2_000;

/** A probe for each of the next endpoints that are due: one that waits behind its breaker is not late. */
const nextDue = `
  SELECT max(e.id::text)::uuid AS last, count(*) AS endpoints,
    coalesce(max(greatest(extract(epoch FROM $1 - d.next_attempt_at), 0)), 0)::float8 AS seconds
    FROM (SELECT id FROM webhook_endpoints
           WHERE active_since IS NOT NULL AND next_probe_at IS NULL
             AND ($2::uuid IS NULL OR id > $2) ORDER BY id LIMIT ${endpointsAtOnce}) AS e
    LEFT JOIN LATERAL (
      SELECT w.next_attempt_at FROM webhook_deliveries w
       WHERE w.status IN ('pending', 'retrying') AND w.endpoint_id = e.id
       ORDER BY w.next_attempt_at LIMIT 1) AS d ON true`;

interface Looked {
  last: string | null;
  endpoints: number;
  seconds: number;
}

async function oldestDue(db: Db, now: Date): Promise<number> {
  let oldest = 0;
  for (let after: string | null = null; ;) {
    const [looked]: Looked[] = await query<Looked>(db, nextDue, [now, after]);
    oldest = Math.max(oldest, looked?.seconds ?? 0);
    if (!looked?.last || looked.endpoints < endpointsAtOnce) return oldest;
    after = looked.last;
  }
}

export const webhookFigures: FigureReader = {
  reader: 'webhooks',
  figures: [
    {
      name: 'webhook_deliveries',
      help: `Deliveries by status, ${counted}`,
      labels: ['status'],
      zeros: each('status', statuses),
    },
    {
      name: 'webhook_oldest_due_seconds',
      help: 'How long the oldest delivery has been due, breakers that are open left out',
      zeros: zeroOf,
    },
    {
      name: 'webhook_endpoints_failing',
      help: `Endpoints whose last attempt failed, ${counted}`,
      zeros: zeroOf,
    },
  ],
  async read(db, { now }) {
    const row = await queryOne<Backlog>(db, backlog);
    const of = (status: string, value = 0): Sample => ({
      name: 'webhook_deliveries',
      labels: { status },
      value,
    });
    return [
      of('pending', row?.pending),
      of('retrying', row?.retrying),
      of('dead_letter', row?.deadLetters),
      { name: 'webhook_endpoints_failing', value: row?.failingEndpoints ?? 0 },
      { name: 'webhook_oldest_due_seconds', value: await oldestDue(db, now) },
    ];
  },
};
