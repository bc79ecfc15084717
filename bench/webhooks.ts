import { performance } from 'node:perf_hooks';
import { setTimeout as sleep } from 'node:timers/promises';
import { Agent } from 'undici';
import { recordEvent } from '../activities/journal/events';
import { signedHeaders, newSigningSecret } from '../runtime/crypto/webhook-signature';
import { createVault } from '../runtime/crypto/vault';
import { fanOutEvents } from '../activities/webhooks/fan-out';
import { systemCause } from '../activities/journal/cause';
import { createEndpoint } from '../activities/webhooks/endpoints';
import { loadConfig } from '../runtime/config/config';
import { newId } from '../entities/ids';
import { systemActor } from '../entities/rules/values/actor';
import type { Scope } from '../entities/rules/values/mode';
import { exampleEvent, exampleObject } from '../entities/rules/webhooks/examples';
import { seedWorkspace } from './support/commission-world';
import { query, type Db, transaction } from '../entities/database/sql';
import { withCpu } from './support/cpu';
import { monotonicMs, startSink, type Sink } from './support/sink';
import { quantile } from './support/table';
import { serveWorker } from './support/worker';
import { runBench, type Stage } from './support/stage';

/**
 * Outbound webhooks against a bare undici loop that posts the same bodies to the same sink, in one
 * run on one machine. Relay and dispatcher are one worker process; Temporal is not even there.
 *
 *   node bench/run.mjs webhooks [deliveries of the drain, default 20000] [seconds a rate, default 5]
 */
const drained = Number(process.argv[2] ?? 20_000);
const seconds = Number(process.argv[3] ?? 5);
const endpointCount = 10;
const concurrency = endpointCount * 8;

interface Setting {
  db: Db;
  sink: Sink;
  vault: ReturnType<typeof createVault>;
  pids: Record<'worker' | 'postgres', number>;
}

async function main(stage: Stage): Promise<void> {
  const sink = await startSink();
  const vault = createVault(loadConfig({ ...process.env, ...stage.secrets }).secrets);
  const bare = await postBare(sink, Math.min(drained, 20_000));
  const worker = await serveWorker(stage, {
    WORKER_QUEUES: 'relay,webhooks,dispatcher',
    WEBHOOK_ALLOW_PRIVATE: 'true',
    TEMPORAL_ADDRESS: '127.0.0.1:9',
    LOG_LEVEL: 'error',
  });
  const pids = { worker, postgres: stage.pids.postgres };
  const setting: Setting = { db: stage.db.manager, sink, vault, pids };
  // What is compiled and cached by the first is so at the second.
  await drain(setting);
  const { result, cpu } = await withCpu(pids, () => drain(setting));
  console.log(`bare undici loop   ${bare.toFixed(0)}/s`);
  console.log(
    `drain of ${drained}     ${result.rate.toFixed(0)}/s, ${((100 * result.rate) / bare).toFixed(0)} % of it; ${inWords(cpu)}`,
  );

  for (const perSecond of [50, 200, 1_000]) {
    const scopes = await buildScopes(setting, { scopes: endpointCount, endpoints: 1 });
    console.log(`latency at ${perSecond}/s    ${await latency(setting, { scopes, perSecond })}`);
  }
  const healthy = await buildScopes(setting, { scopes: 1, endpoints: 1 });
  const hanging = await buildScopes(setting, { scopes: 1, endpoints: 1, path: '/hang' });
  const noisy = { scopes: [...healthy, ...hanging], perSecond: 200 };
  console.log(`beside a hanging one ${await latency(setting, noisy)}`);
  const fan = await buildScopes(setting, { scopes: 1, endpoints: 10 });
  console.log(`fan-out to 10, 20/s ${await latency(setting, { scopes: fan, perSecond: 20 })}`);
}

/** The limit: signed posts of one event in a loop, as many at a time as the dispatcher may. */
async function postBare(sink: Sink, total: number): Promise<number> {
  const agent = new Agent({ connections: concurrency });
  const body = JSON.stringify(exampleEvent('commission.created'));
  const secrets = [newSigningSecret()];
  let left = total;
  const began = performance.now();
  const lane = async (): Promise<void> => {
    while (left > 0) {
      left -= 1;
      const headers = signedHeaders({ messageId: `evt_${left}`, body, at: new Date(), secrets });
      const answer = await agent.request({
        origin: sink.origin,
        path: '/bare',
        method: 'POST',
        headers,
        body,
      });
      await answer.body.text();
    }
  };
  await Promise.all(Array.from({ length: concurrency }, lane));
  const rate = (1_000 * total) / (performance.now() - began);
  await agent.close();
  await sink.reset();
  return rate;
}

interface ScopesWanted {
  scopes: number;
  endpoints: number;
  path?: string;
}

/** Workspaces, each with this many endpoints at the sink. */
async function buildScopes(
  { db, sink, vault }: Setting,
  { scopes, endpoints, path = '/hook' }: ScopesWanted,
): Promise<Scope[]> {
  const built: Scope[] = [];
  for (let index = 0; index < scopes; index += 1) {
    const scope: Scope = { workspaceId: newId(), mode: 'test' };
    await seedWorkspace(db, scope.workspaceId);
    for (let endpoint = 0; endpoint < endpoints; endpoint += 1) {
      await createEndpoint(
        { db, vault },
        { scope, actor: systemActor, now: new Date() },
        { url: `${sink.origin}${path}/${endpoint}`, events: ['*'] },
      );
    }
    built.push(scope);
  }
  return built;
}

const inWords = ({ worker, postgres }: Setting['pids']): string =>
  `us of CPU each: worker ${worker}, Postgres ${postgres}`;

/** The receipts a second, from the commit that makes all deliveries at once to the last receipt. */
async function drain(setting: Setting): Promise<{ rate: number; requests: number }> {
  const { db } = setting;
  const [scope] = await buildScopes(setting, { scopes: 1, endpoints: endpointCount });
  const object = JSON.stringify(exampleObject('commission.created'));
  const ids = await query<{ id: string }>(
    db,
    `INSERT INTO events (id, workspace_id, mode, type, object_id, object, occurred_at)
     SELECT gen_random_uuid(), $1, 'test', 'commission.created', gen_random_uuid(), $2, now()
       FROM generate_series(1, $3) RETURNING id`,
    [scope?.workspaceId, object, drained / endpointCount],
  );
  await transaction(db, async (tx) => {
    for (let start = 0; start < ids.length; start += 200) {
      const some = ids.slice(start, start + 200).map(({ id }) => id);
      await fanOutEvents(tx, systemCause(new Date()), { eventIds: some, firstDelayMs: 0 });
    }
  });
  const began = performance.now();
  await until(async () => (await setting.sink.stats()).count >= drained);
  const rate = (1_000 * drained) / (performance.now() - began);
  await until(async () => {
    const [open] = await query<{ count: number }>(
      db,
      `SELECT count(*) AS count FROM webhook_deliveries WHERE status <> 'succeeded'`,
    );
    return open?.count === 0;
  });
  await setting.sink.reset();
  return { rate, requests: drained };
}

interface Traffic {
  scopes: Scope[];
  perSecond: number;
}

/** Milliseconds from the commit of an event to its receipt, over all healthy endpoints, and CPU an event. */
async function latency(setting: Setting, traffic: Traffic): Promise<string> {
  const { result, cpu } = await withCpu(setting.pids, () => receive(setting, traffic));
  return `${result.seen}; ${inWords(cpu)}`;
}

async function receive(
  setting: Setting,
  { scopes, perSecond }: Traffic,
): Promise<{ seen: string; requests: number }> {
  const committedAt = new Map<string, number>();
  const total = perSecond * seconds;
  const began = performance.now();
  const pending: Promise<void>[] = [];
  for (let index = 0; index < total; index += 1) {
    const due = began + (1_000 * index) / perSecond;
    if (due > performance.now() + 1) await sleep(due - performance.now());
    const scope = scopes[index % scopes.length];
    if (scope) pending.push(commitEvent(setting.db, scope, committedAt));
  }
  await Promise.all(pending);
  await sleep(1_500);

  const { receivedAt } = await setting.sink.times();
  const waits = Object.entries(receivedAt)
    .filter(([key]) => !key.includes('/hang'))
    .map(([key, at]) => at - (committedAt.get(key.slice(4, 40)) ?? Number.NaN))
    .filter(Number.isFinite);
  await setting.sink.reset();
  const at = (share: number): string => quantile(waits, share).toFixed(1);
  const seen = `p50 ${at(0.5)} ms, p99 ${at(0.99)} ms, ${waits.length} received`;
  return { seen, requests: total };
}

async function commitEvent(db: Db, scope: Scope, committedAt: Map<string, number>): Promise<void> {
  const object = { ...exampleObject('commission.created'), id: newId() };
  const type = 'commission.created';
  const event = { type, objectId: object.id, object, at: new Date() } as const;
  const id = await transaction(db, (tx) => recordEvent(tx, scope, event));
  committedAt.set(id, monotonicMs());
}

async function until(done: () => Promise<boolean>): Promise<void> {
  const deadline = Date.now() + 120_000;
  while (!(await done())) {
    if (Date.now() > deadline) throw new Error('it did not end in time');
    await sleep(20);
  }
}

runBench(main);
