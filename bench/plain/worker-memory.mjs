import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';

/**
 * The memory of a worker of all queues through a storm: sales that start lifecycles, then their approval,
 * which ends them. Beside `npm start`, with its limits of requests off:
 *
 *   RATE_LIMIT_CONVERSIONS=0 RATE_LIMIT_GENERAL=0 npm start
 *   node bench/plain/worker-memory.mjs [sales]
 */
const sales = Number(process.argv[2] ?? 2_000);
const atOnce = 8;
const stackDir = path.resolve(process.env.STACK_DIR ?? '.stack');
const info = JSON.parse(readFileSync(path.join(stackDir, 'info.json'), 'utf8'));
const { demo, apiUrl } = info;
const began = Date.now();
const seen = { before: await rss(), peak: 0, relayed: await relayed() };
const sampling = setInterval(() => {
  void rss().then((bytes) => (seen.peak = Math.max(seen.peak, bytes)));
}, 500);

const login = await call('POST', '/auth/merchant/login', demo.merchant, '');
const ids = [];
await inTurn(sales, async () => {
  const sale = {
    external_transaction_id: `storm-${randomUUID()}`,
    event_type: 'purchase',
    promo_code: demo.promoCode,
    amount_cents: 4_900,
    currency: 'usd',
  };
  ids.push((await call('POST', '/conversions', sale, demo.keys.test.secret)).commission.id);
});
const reported = seconds();
await handedOver(sales);
const started = { seconds: seconds(), bytes: await rss() };
await inTurn(sales, (number) =>
  call(
    'PATCH',
    `/programs/${demo.programId}/commissions/${ids[number]}/approve-override`,
    { reason: 'storm' },
    login.accessToken,
  ),
);
await handedOver(2 * sales);
// The signals' last tasks.
await pause(3_000);
clearInterval(sampling);
const megabytes = (bytes) => Math.round(bytes / 1024 / 1024);
console.log({
  sales,
  secondsToReport: reported,
  secondsUntilAllRan: started.seconds,
  seconds: seconds(),
  before: megabytes(seen.before),
  allOpen: megabytes(started.bytes),
  peak: megabytes(seen.peak),
  after: megabytes(await rss()),
});

async function inTurn(count, work) {
  let next = 0;
  const lane = async () => {
    for (let number = next++; number < count; number = next++) await work(number);
  };
  await Promise.all(Array.from({ length: atOnce }, lane));
}

/** Waits until the relay has handed over as many starts or signals as were asked for. */
async function handedOver(count) {
  while ((await relayed()) < seen.relayed + count) await pause(500);
}

function relayed() {
  return metric(/^outbox_relayed_total\{[^}]*topic="commission"[^}]*\} (\S+)/m);
}

async function rss() {
  return metric(/^process_resident_memory_bytes(?:\{[^}]*\})? (\S+)/m);
}

async function metric(pattern) {
  const text = await (await fetch(`${info.workerAdminUrl}/metrics`)).text();
  return Number(pattern.exec(text)?.[1] ?? 0);
}

async function call(method, route, body, bearer) {
  for (;;) {
    const answer = await fetch(`${apiUrl}/api/v1${route}`, {
      method,
      headers: {
        'Content-Type': 'application/json',
        'X-Mode': 'test',
        ...(bearer && { Authorization: `Bearer ${bearer}` }),
      },
      body: JSON.stringify(body),
    });
    const text = await answer.text();
    if (answer.ok) return JSON.parse(text);
    if (answer.status !== 429 && answer.status !== 503) throw new Error(`${route}: ${text}`);
    await pause(1_000);
  }
}

function seconds() {
  return Math.round((Date.now() - began) / 1_000);
}
