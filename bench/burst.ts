import { setTimeout as sleep } from 'node:timers/promises';
import Stripe from 'stripe';
import { newId } from '../entities/ids';
import { query, queryOne } from '../entities/database/sql';
import { buildShops, type Shop } from './support/click-world';
import {
  registerMerchant,
  seedCommissions,
  seedProgram,
  withoutTimeouts,
} from './support/commission-world';
import type { CommissionWorld, Merchant } from './support/commission-world';
import { withCpu, type CpuPerRequest } from './support/cpu';
import { load } from './support/load';
import { runBench, type Stage } from './support/stage';
import { quantile, round } from './support/table';
import { serveWorkflows } from './support/worker';
import { connectStripe, type StripeEndpoint } from './support/stripe';

/**
 * What a burst of conversions leaves behind (a lifecycle to start for each) beside people's work: a
 * few clicks, decisions and Stripe events a second, on a quiet machine and while the starts wait.
 *
 *   node bench/run.mjs burst [conversions] [seconds a step]
 */
const conversions = Number(process.argv[2] ?? 30_000);
const seconds = Number(process.argv[3] ?? 20);

interface World {
  stage: Stage;
  api: string;
  merchant: Merchant;
  world: CommissionWorld;
  shop: Shop;
  stripe: StripeEndpoint;
  /** The commissions that are not approved yet. */
  pending: string[];
}

async function main(stage: Stage): Promise<void> {
  const temporal = await stage.startTemporal();
  const env = { TEMPORAL_ADDRESS: temporal.address };
  const api = await stage.serve('api/main.js', env);
  const world = await prepare(stage, api);
  const worker = await serveWorkflows(stage, env);
  await measure(world);
  const pids = { api: stage.pidOf(api), worker, temporal: temporal.pid, ...stage.pids };
  const measured = (): Promise<Measured> => withCpu(pids, () => measure(world));
  const quiet = await measured();
  const rows = await leaveBehind(world);
  const burst = await measured();
  const left = await waitingOf(stage, rows);
  print(quiet, burst, left);
}

async function prepare(stage: Stage, api: string): Promise<World> {
  const merchant = await registerMerchant(api);
  const [world, ids] = await withoutTimeouts(stage.databaseUrl, async (db) => {
    const made = await seedProgram(db, merchant.workspaceId, 50);
    await seedCommissions(db, made, { count: conversions + 2_000, onlyPending: true });
    const rows = await query<{ id: string }>(db, 'SELECT id FROM commissions ORDER BY id');
    return [made, rows.map(({ id }) => id)] as const;
  });
  const [shop] = await buildShops(stage.db.manager, 1);
  if (!shop) throw new Error('there is no shop');
  const stripe = await connectStripe(api, merchant.accessToken);
  return { stage, api, merchant, world, shop, stripe, pending: ids.slice(-2_000) };
}

/** Rows of the outbox that were added together. */
interface Rows {
  first: number;
  last: number;
}

/** Work for the relay, as the commits of that many conversions leave it. */
async function leaveBehind({ stage, merchant }: World): Promise<Rows> {
  const rows = await queryOne<Rows & { added: number }>(
    stage.db.manager,
    `WITH added AS (
       INSERT INTO outbox (topic, ref, workspace_id, available_at)
       SELECT 'commission', id, $1, now()
         FROM (SELECT id FROM commissions ORDER BY id LIMIT $2) AS c
       RETURNING id)
     SELECT min(id) AS first, max(id) AS last, count(*) AS added FROM added`,
    [merchant.workspaceId, conversions],
  );
  if (rows?.added !== conversions) throw new Error('some of the work was not left behind');
  return rows;
}

interface Waits {
  p50: number;
  p99: number;
}

interface Seen {
  requests: number;
  waits: Record<'click' | 'decision' | 'stripe', Waits>;
}

interface Measured {
  result: Seen;
  /** Microseconds of each process for one of the requests. */
  cpu: CpuPerRequest<string>;
}

async function measure(world: World): Promise<Seen> {
  const since = new Date();
  const [click, decision, events] = await Promise.all([
    sendClicks(world),
    decide(world),
    sendEvents(world),
  ]);
  if (Object.keys({ ...decision.statuses, ...events.statuses }).some((code) => code !== '200')) {
    throw new Error(`refused: ${JSON.stringify([decision.statuses, events.statuses])}`);
  }
  const stripe = await processedAfter(world, since);
  const requests = click.requests + decision.requests + events.requests;
  return { requests, waits: { click, decision, stripe } };
}

function sendClicks({ api, shop }: World) {
  return load({
    url: api,
    connections: 4,
    rate: 40,
    seconds,
    makeRequest: () => ({
      method: 'POST',
      path: '/v1/clicks',
      headers: { Authorization: `Bearer ${shop.key}`, 'Content-Type': 'application/json' },
      body: JSON.stringify({ ref: shop.ref, visitor_id: newId() }),
    }),
  });
}

function decide({ api, merchant, world, pending }: World) {
  return load({
    url: api,
    connections: 2,
    rate: 10,
    seconds,
    makeRequest: () => ({
      method: 'PATCH',
      path: `/api/v1/programs/${world.programId}/commissions/${pending.pop() ?? ''}/approve`,
      headers: { Authorization: `Bearer ${merchant.accessToken}` },
    }),
  });
}

function sendEvents({ api, stripe }: World) {
  return load({
    url: api,
    connections: 2,
    rate: 5,
    seconds,
    makeRequest: () => {
      const body = JSON.stringify({
        id: `evt_${newId()}`,
        object: 'event',
        type: 'customer.created',
        livemode: true,
        data: { object: { id: 'cus_bench' } },
      });
      const signature = Stripe.webhooks.generateTestHeaderString({
        payload: body,
        secret: stripe.secret,
      });
      return {
        method: 'POST',
        path: stripe.path,
        headers: { 'Stripe-Signature': signature, 'Content-Type': 'application/json' },
        body,
      };
    },
  });
}

/** The milliseconds from the arrival of an event until its workflow was done with it. */
async function processedAfter({ stage }: World, since: Date): Promise<Waits> {
  for (let turn = 0; turn < 600; turn += 1) {
    const rows = await query<{ ms: number | null }>(
      stage.db.manager,
      `SELECT (extract(epoch FROM processed_at - received_at) * 1000)::float8 AS ms
         FROM stripe_events WHERE received_at >= $1`,
      [since],
    );
    const waits = rows.flatMap(({ ms }) => ms ?? []);
    if (waits.length > 0 && waits.length === rows.length) {
      return { p50: quantile(waits, 0.5), p99: quantile(waits, 0.99) };
    }
    await sleep(200);
  }
  throw new Error('events of Stripe were not processed');
}

/** The burst's own rows that still wait: decisions have added work of the same topic meanwhile. */
async function waitingOf({ db }: Stage, { first, last }: Rows): Promise<number> {
  const row = await queryOne<{ rows: number }>(
    db.manager,
    `SELECT count(*) AS rows FROM outbox
      WHERE topic = 'commission' AND id BETWEEN $1 AND $2`,
    [first, last],
  );
  return row?.rows ?? 0;
}

function print(quiet: Measured, burst: Measured, left: number): void {
  const rows = (['click', 'decision', 'stripe'] as const).map((what) => {
    const [without, beside] = [quiet.result.waits[what], burst.result.waits[what]];
    return {
      what,
      'p50 quiet, ms': round(without.p50),
      'in the burst, ms': round(beside.p50),
      'p99 quiet, ms': round(without.p99),
      'p99 in the burst, ms': round(beside.p99),
      ratio: round(beside.p99 / without.p99),
    };
  });
  console.table(rows);
  for (const [when, { result, cpu }] of Object.entries({ quiet, burst })) {
    const shares = Object.entries(cpu).map(
      ([name, us]) => `${name} ${((us * result.requests) / seconds / 10_000).toFixed(0)} %`,
    );
    console.log(`CPU, ${when}: ${shares.join(', ')} of a core`);
  }
  console.log(`${conversions - left} of ${conversions} lifecycles started meanwhile`);
}

runBench(main);
