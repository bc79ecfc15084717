import { spawnSync } from 'node:child_process';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import Stripe from 'stripe';
import { newId } from '../entities/ids';
import { query, queryOne } from '../entities/database/sql';
import { claimAnyPort } from '../stack/parts/ports';
import { startTemporal } from '../stack/parts/temporal';
import { prepareNamespace } from '../stack/parts/temporal-namespace';
import { buildShops, type Shop } from './support/click-world';
import {
  registerMerchant,
  seedCommissions,
  seedProgram,
  withoutTimeouts,
} from './support/commission-world';
import type { CommissionWorld, Merchant } from './support/commission-world';
import { load } from './support/load';
import { openStage, type Stage } from './support/stage';

/**
 * What a burst of conversions leaves behind (a lifecycle to start for each) beside people's work: a
 * few clicks, decisions and Stripe events a second, on a quiet machine and while the starts wait.
 *
 *   node bench/run.mjs burst [conversions] [seconds a step]
 */
const conversions = Number(process.argv[2] ?? 30_000);
const seconds = Number(process.argv[3] ?? 20);
const webhookSecret = 'whsec_0123456789abcdef0123456789abcdef';

interface World {
  stage: Stage;
  api: string;
  merchant: Merchant;
  world: CommissionWorld;
  shop: Shop;
  stripeUrl: string;
  /** Not yet approved. */
  pending: string[];
}

async function main(): Promise<void> {
  const stage = await openStage();
  const temporal = await startTemporal({
    dir: `${process.cwd()}/.stack/bench-temporal-${process.pid}`,
    port: await claimAnyPort(),
    namespace: 'default',
    persistent: true,
  });
  try {
    const env = { TEMPORAL_ADDRESS: temporal.address };
    await prepareNamespace({
      address: temporal.address,
      namespace: 'default',
      apiKey: undefined,
      tls: false,
    });
    const api = await stage.serve('api/main.js', env);
    const world = await prepare(stage, api);
    bundleWorkflows();
    // Without the repairs, which would start the lifecycles of the seeded commissions at once.
    const queues = 'commissions,stripe,webhooks,mail,bulk,relay,dispatcher';
    const workerEnv = { ...env, WORKER_QUEUES: queues };
    void stage.serve('workers/main.js', workerEnv).catch(() => undefined);
    await sleep(8_000);
    await measure(world);
    const quiet = await measure(world);
    const rows = await leaveBehind(world);
    const burst = await measure(world);
    const left = await waitingOf(stage, rows);
    print(quiet, burst, left);
  } finally {
    await temporal.stop();
    await stage.close();
  }
}

/** As the build does: a worker without the bundle would make one for each of its queues. */
function bundleWorkflows(): void {
  const { status } = spawnSync(process.execPath, [path.join(__dirname, '../workers/bundle.js')]);
  if (status !== 0) throw new Error('the workflows could not be bundled');
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
  const response = await fetch(`${api}/api/v1/workspace/stripe`, {
    method: 'PUT',
    headers: {
      'Content-Type': 'application/json',
      'X-Mode': 'live',
      Authorization: `Bearer ${merchant.accessToken}`,
    },
    body: JSON.stringify({ webhookSecret }),
  });
  const { url } = (await response.json()) as { url: string };
  const stripeUrl = new URL(url).pathname;
  return { stage, api, merchant, world, shop, stripeUrl, pending: ids.slice(-2_000) };
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

interface Seen {
  click: number;
  decision: number;
  stripe: number;
}

async function measure(world: World): Promise<Seen> {
  const since = new Date();
  const [clicks, decisions, events] = await Promise.all([
    click(world),
    decide(world),
    sendEvents(world),
  ]);
  if (Object.keys({ ...decisions.statuses, ...events.statuses }).some((code) => code !== '200')) {
    throw new Error(`refused: ${JSON.stringify([decisions.statuses, events.statuses])}`);
  }
  return { click: clicks.p99, decision: decisions.p99, stripe: await processedAfter(world, since) };
}

function click({ api, shop }: World) {
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

function sendEvents({ api, stripeUrl }: World) {
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
        secret: webhookSecret,
      });
      return {
        method: 'POST',
        path: stripeUrl,
        headers: { 'Stripe-Signature': signature, 'Content-Type': 'application/json' },
        body,
      };
    },
  });
}

/** From the arrival of an event until its workflow was done with it, p99 in milliseconds. */
async function processedAfter({ stage }: World, since: Date): Promise<number> {
  for (let turn = 0; turn < 600; turn += 1) {
    const row = await queryOne<{ open: number; p99: number | null }>(
      stage.db.manager,
      `SELECT count(*) FILTER (WHERE processed_at IS NULL) AS open,
         percentile_cont(0.99) WITHIN GROUP (ORDER BY
           (extract(epoch FROM processed_at - received_at) * 1000)::float8) AS p99
         FROM stripe_events WHERE received_at >= $1`,
      [since],
    );
    if (row?.open === 0 && row.p99 !== null) return row.p99;
    await sleep(200);
  }
  throw new Error('events of Stripe were not processed');
}

/** Those alone: decisions have added work of the same topic meanwhile. */
async function waitingOf({ db }: Stage, { first, last }: Rows): Promise<number> {
  const row = await queryOne<{ rows: number }>(
    db.manager,
    `SELECT count(*) AS rows FROM outbox
      WHERE topic = 'commission' AND id BETWEEN $1 AND $2`,
    [first, last],
  );
  return row?.rows ?? 0;
}

function print(quiet: Seen, burst: Seen, left: number): void {
  const rows = (['click', 'decision', 'stripe'] as const).map((what) => ({
    what,
    'p99 quiet, ms': quiet[what].toFixed(1),
    'p99 in the burst, ms': burst[what].toFixed(1),
    ratio: (burst[what] / quiet[what]).toFixed(2),
  }));
  console.table(rows);
  console.log(`${conversions - left} of ${conversions} lifecycles started meanwhile`);
}

void main().then(() => process.exit(0));
