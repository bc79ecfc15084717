import { setTimeout as sleep } from 'node:timers/promises';
import type { ProcessName, StackInfo } from '../../stack/supervisor/info';
import { signInAtDemo } from '../support/stack/demo-shop';
import {
  newStackDir,
  removeStackDir,
  startLocalStack,
  type LocalStack,
} from '../support/stack/local-stack';
import { startSink, type Sink } from '../support/sink';

jest.setTimeout(240_000);

const conversions = 300;
const lanes = 4;
const parts: ProcessName[] = ['redis', 'temporal', 'postgres', 'worker'];

const dir = newStackDir();
let stack: LocalStack;
let info: StackInfo;
let sink: Sink;

beforeAll(async () => {
  sink = await startSink();
  stack = await startLocalStack(dir, {
    RATE_LIMIT_CONVERSIONS: '0',
    WEBHOOK_ALLOW_PRIVATE: 'true',
    WEBHOOK_RETRY_SCHEDULE: '0s,1s,2s,4s,8s,8s',
    WEBHOOK_TIMEOUT_MS: '2000',
  });
  info = stack.info();
}, 120_000);

afterAll(async () => {
  await stack.stop();
  await sink.close();
  removeStackDir(dir);
});

interface Answer {
  status: number;
  body: Record<string, unknown>;
}

async function call(path: string, token: string, body: unknown): Promise<Answer> {
  const response = await fetch(info.apiUrl + path, {
    method: 'POST',
    headers: {
      'Content-Type': 'application/json',
      'X-Mode': 'test',
      Authorization: `Bearer ${token}`,
    },
    body: JSON.stringify(body),
    signal: AbortSignal.timeout(30_000),
  });
  return { status: response.status, body: (await response.json()) as Record<string, unknown> };
}

async function subscribe(): Promise<void> {
  const { accessToken } = await signInAtDemo(info);
  const created = await call('/api/v1/webhooks', accessToken, {
    url: sink.url,
    events: ['conversion.created', 'commission.created'],
  });
  expect(created.status).toBe(201);
}

/** Tries again on 503 only: a good request gets no other refusal while a part is away. */
async function report(transaction: string): Promise<string> {
  for (let attempt = 0; attempt < 100; attempt += 1) {
    const { status, body } = await call('/api/v1/conversions', secretKey(), {
      external_transaction_id: transaction,
      event_type: 'purchase',
      promo_code: info.demo?.promoCode,
      amount_cents: 4_900,
      currency: 'usd',
    });
    if (status === 201) return String(body['id']);
    expect([status, body['code']]).toEqual([503, 'SERVICE_UNAVAILABLE']);
    await sleep(200);
  }
  throw new Error(`${transaction} was never taken`);
}

function secretKey(): string {
  return info.demo?.keys.test.secret ?? '';
}

function eventsReceived(type: string): Map<string, string> {
  const events = new Map<string, string>();
  for (const { body } of sink.received) {
    const event = JSON.parse(body) as { id: string; type: string; data: { object: object } };
    const object = event.data.object as { id: string; conversion_id?: string };
    if (event.type === type) events.set(event.id, object.conversion_id ?? object.id);
  }
  return events;
}

describe('with Postgres, Redis, Temporal and the worker killed and started again in the middle', () => {
  it('takes every conversion and delivers each of its events', async () => {
    await subscribe();
    const ids: string[] = [];
    let next = 0;
    const lane = async (): Promise<void> => {
      while (next < conversions) {
        next += 1;
        ids.push(await report(`parts-${next}`));
      }
    };
    const killing = (async () => {
      for (const name of parts) {
        await sleep(1_500);
        stack.kill(name);
      }
    })();
    await Promise.all([killing, ...Array.from({ length: lanes }, lane)]);

    const deadline = Date.now() + 120_000;
    const isComplete = (): boolean =>
      ['conversion.created', 'commission.created'].every(
        (type) => new Set(eventsReceived(type).values()).size >= conversions,
      );
    while (!isComplete() && Date.now() < deadline) await sleep(250);

    for (const type of ['conversion.created', 'commission.created']) {
      const events = eventsReceived(type);
      // One event each, whatever was killed; receivers tell repeats by its id.
      expect(events.size).toBe(conversions);
      expect([...events.values()].sort()).toEqual([...ids].sort());
    }
  });
});
