import { setTimeout as sleep } from 'node:timers/promises';
import { Agent } from 'undici';
import { countFrom } from '../../../entities/database/sql';
import { exampleEvent } from '../../../entities/rules/webhooks/examples';
import { load } from '../load';
import { monotonicMs, type Sink } from '../sink';
import { quantile } from '../table';
import { withCpuOf, type Cpu } from './cpu';
import type { WholeStack } from './stack';

const endpointCount = 10;
const eventsOfSale = 2;
const concurrency = endpointCount * 8;

export interface Setting {
  stack: WholeStack;
  sink: Sink;
  /** The merchant's of the demo. */
  token: string;
}

/** The limit: one body in a loop over connections that are kept, as many as the dispatcher may have. */
export async function postBare(sink: Sink, total: number): Promise<number> {
  const agent = new Agent({ connections: concurrency });
  const body = JSON.stringify(exampleEvent('commission.created'));
  const headers = { 'content-type': 'application/json' };
  let left = total;
  const began = performance.now();
  const post = async (): Promise<void> => {
    while (left > 0) {
      left -= 1;
      const path = `/bare/${left}`;
      const answer = await agent.request({
        origin: sink.origin,
        path,
        method: 'POST',
        headers,
        body,
      });
      await answer.body.dump();
    }
  };
  await Promise.all(Array.from({ length: concurrency }, post));
  const rate = (1_000 * total) / (performance.now() - began);
  await agent.close();
  await sink.reset();
  return rate;
}

export interface Drain {
  rate: number;
  sent: number;
  received: number;
  repeated: number;
  cpu: Cpu;
}

/**
 * Sales of which the worker knows nothing yet, each two events for ten endpoints, from the moment
 * when it goes on to the last receipt: relay, fan-out, sending, results and lifecycles beside.
 */
export async function drain(setting: Setting, deliveries: number): Promise<Drain> {
  const { stack, sink } = setting;
  const ids = await subscribe(setting, endpointCount, { events: ['*'], path: '/hook' });
  const sales = Math.ceil(deliveries / (endpointCount * eventsOfSale));
  const sent = sales * endpointCount * eventsOfSale;
  await stack.withoutWorker(() => report(stack, { amount: sales, connections: 32 }));
  const began = performance.now();
  const { result: seconds, cpu } = await withCpuOf({ stack, sink, requests: sent }, async () => {
    await until(async () => (await sink.stats()).count >= sent);
    return (performance.now() - began) / 1_000;
  });
  await untilRecorded(stack);
  const { count, repeated } = await sink.stats();
  await unsubscribe(setting, ids);
  await sink.reset();
  return { rate: sent / seconds, sent, received: count - repeated, repeated, cpu };
}

export interface Latency {
  p50: number;
  p99: number;
  sent: number;
  received: number;
  repeated: number;
  cpu: Cpu;
}

/** Milliseconds from the answer to a sale to the receipt of its webhook. */
export async function latency(
  setting: Setting,
  { perSecond, seconds }: { perSecond: number; seconds: number },
): Promise<Latency> {
  const { stack, sink } = setting;
  const ids = await subscribe(setting, 1, { events: ['conversion.created'], path: '/sale' });
  const first = await report(stack, { rate: perSecond, amount: perSecond, connections: 16 });
  await until(async () => (await sink.stats()).count >= first.size);
  await untilRecorded(stack);
  await sink.reset();

  const amount = perSecond * seconds;
  const { result: answeredAt, cpu } = await withCpuOf({ stack, sink, requests: amount }, () =>
    report(stack, { rate: perSecond, amount, connections: 16 }),
  );
  const sent = answeredAt.size;
  await until(async () => (await sink.stats()).count >= sent);
  await untilRecorded(stack);
  const { receivedAt, count, repeated } = await sink.times();
  await unsubscribe(setting, ids);
  const waits = [...answeredAt].map(([id, at]) =>
    Math.max(0, (receivedAt[`${id} /sale/0`] ?? Number.POSITIVE_INFINITY) - at),
  );
  await sink.reset();
  return {
    p50: quantile(waits, 0.5),
    p99: quantile(waits, 0.99),
    sent,
    received: count - repeated,
    repeated,
    cpu,
  };
}

let reported = 0;

/** Reports sales; gives when each was answered, by its id. */
async function report(
  { info, demo }: WholeStack,
  options: { amount: number; connections: number; rate?: number },
): Promise<Map<string, number>> {
  const headers = {
    'Content-Type': 'application/json',
    Authorization: `Bearer ${demo.keys.test.secret}`,
  };
  const answeredAt = new Map<string, number>();
  await load({
    ...options,
    url: info.apiUrl,
    makeRequest: () => {
      reported += 1;
      const sale = {
        external_transaction_id: `whole_${process.pid}_${reported}`,
        event_type: 'purchase',
        promo_code: demo.promoCode,
        amount_cents: 4_900,
        currency: 'usd',
      };
      return { path: '/api/v1/conversions', headers, body: JSON.stringify(sale) };
    },
    onAnswer: (status, body) => {
      if (status !== 201) throw new Error(`a sale was answered ${status}: ${body}`);
      answeredAt.set((JSON.parse(body) as { id: string }).id, monotonicMs());
    },
  });
  return answeredAt;
}

async function subscribe(
  setting: Setting,
  endpoints: number,
  { events, path }: { events: string[]; path: string },
): Promise<string[]> {
  const ids: string[] = [];
  for (let n = 0; n < endpoints; n += 1) {
    const body = JSON.stringify({ url: `${setting.sink.origin}${path}/${n}`, events });
    const answer = await callWebhooks(setting, '', { method: 'POST', body });
    ids.push(((await answer.json()) as { id: string }).id);
  }
  return ids;
}

async function unsubscribe(setting: Setting, ids: readonly string[]): Promise<void> {
  for (const id of ids) await callWebhooks(setting, `/${id}`, { method: 'DELETE' });
}

async function callWebhooks(
  { stack, token }: Setting,
  path: string,
  init: RequestInit,
): Promise<Response> {
  const headers = {
    Authorization: `Bearer ${token}`,
    'X-Mode': 'test',
    ...(init.body ? { 'Content-Type': 'application/json' } : {}),
  };
  const answer = await fetch(`${stack.info.apiUrl}/api/v1/webhooks${path}`, { ...init, headers });
  if (!answer.ok) throw new Error(`webhooks${path} answered ${await answer.text()}`);
  return answer;
}

/** What was received may be sent again until its result is written down. */
async function untilRecorded({ db }: WholeStack): Promise<void> {
  await until(async () => {
    const open = await countFrom(db, `webhook_deliveries WHERE status IN ('pending', 'retrying')`);
    return open === 0;
  });
}

async function until(done: () => Promise<boolean>): Promise<void> {
  const deadline = performance.now() + 60_000;
  while (!(await done())) {
    if (performance.now() > deadline) throw new Error('it did not end in time');
    await sleep(20);
  }
}
