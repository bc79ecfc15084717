import { query, queryOne } from '../../entities/database/sql';
import { billers, type Biller } from '../../entities/rules/billing/biller';
import { needsAttention } from '../billing/events/waiting';
import { counted, each, maxCounted, zeroOf, type FigureReader } from './reader';

/** The statuses of events that are not at their end; "failed" waits for somebody. */
const statuses = ['received', 'retrying', 'waiting', 'failed'] as const;

const byStatus = `
  WITH open AS MATERIALIZED (
    SELECT status, received_at FROM stripe_events
     WHERE status IN ('received', 'retrying') ORDER BY touched_at LIMIT ${maxCounted})
  SELECT 'received' AS status, count(*) AS events,
    coalesce(extract(epoch FROM now() - min(received_at)), 0)::float8 AS "oldestSeconds"
    FROM open WHERE status = 'received'
  UNION ALL
  SELECT 'retrying', count(*), coalesce(extract(epoch FROM now() - min(received_at)), 0)::float8
    FROM open WHERE status = 'retrying'
  UNION ALL
  SELECT 'waiting', count(*), 0
    FROM (SELECT 1 FROM stripe_events WHERE status = 'waiting' LIMIT ${maxCounted}) AS few
  UNION ALL
  SELECT 'failed', count(*), 0
    FROM (SELECT 1 FROM stripe_events WHERE status = 'failed' LIMIT ${maxCounted}) AS few`;

/** What needs a merchant's attention: refunds, disputes and sales by code that no payment explains. */
const attention = `
  SELECT count(*) AS events
    FROM (SELECT status, type, error, received_at FROM stripe_events
           WHERE status = 'waiting' LIMIT ${maxCounted}) AS e
   WHERE ${needsAttention} AND e.received_at < now() - interval '1 day'`;

/** What a webhook should have brought, and the daily reading of the biller did. */
const recovered = `
  SELECT biller, count(*) AS events
    FROM (SELECT biller FROM stripe_events
           WHERE recovered AND status = 'processed' AND received_at > now() - interval '1 day'
           LIMIT ${maxCounted}) AS few
   GROUP BY biller`;

export const stripeFigures: FigureReader = {
  reader: 'stripe',
  figures: [
    {
      name: 'stripe_events',
      help: `Stripe's events by status, ${counted}`,
      labels: ['status'],
      zeros: each('status', statuses),
    },
    {
      name: 'stripe_oldest_open_seconds',
      help: "How long the oldest of Stripe's events that is being processed has been here",
      zeros: zeroOf,
    },
    {
      name: 'stripe_events_waiting',
      help: `Stripe's events that a merchant must see and that have waited for a day, among ${maxCounted}`,
      zeros: zeroOf,
    },
    {
      name: 'biller_events_recovered',
      help: `Payments and refunds of the last day that no webhook brought, read from the biller's lists, ${counted}`,
      labels: ['biller'],
      zeros: each('biller', billers),
    },
  ],
  async read(db) {
    const rows = await query<{ status: string; events: number; oldestSeconds: number }>(
      db,
      byStatus,
    );
    const waiting = await queryOne<{ events: number }>(db, attention);
    const missed = await query<{ biller: Biller; events: number }>(db, recovered);
    const oldest = Math.max(0, ...rows.map(({ oldestSeconds }) => oldestSeconds));
    return [
      ...rows.map(({ status, events }) => ({
        name: 'stripe_events',
        labels: { status },
        value: events,
      })),
      { name: 'stripe_oldest_open_seconds', value: oldest },
      { name: 'stripe_events_waiting', value: waiting?.events ?? 0 },
      ...missed.map(({ biller, events }) => ({
        name: 'biller_events_recovered',
        labels: { biller },
        value: events,
      })),
    ];
  },
};
