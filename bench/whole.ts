import { startSink } from './support/sink';
import { expectEqual, printFigures, runAlone } from './support/verdict';
import type { Cpu } from './support/whole/cpu';
import { exportAll, type Export } from './support/whole/export';
import { openWholeStack, type WholeStack } from './support/whole/stack';
import {
  drain,
  latency,
  postBare,
  type Drain,
  type Latency,
  type Setting,
} from './support/whole/webhooks';

/**
 * Webhooks and exports beside everything that `npm start` starts, Temporal's server too, seen from
 * outside: deliveries that wait, the time from a sale's answer to its webhook, a large CSV file.
 *
 *   npm run bench whole [deliveries] [seconds] [commissions]
 */
const deliveries = Number(process.argv[2] ?? 20_000);
const seconds = Number(process.argv[3] ?? 10);
const commissions = Number(process.argv[4] ?? 1_000_000);
const perSecond = 200;

async function main(): Promise<void> {
  const stack = await openWholeStack();
  const sink = await startSink();
  try {
    const setting: Setting = { stack, sink, token: await signIn(stack) };
    // A process that has sent little still compiles what it runs.
    await postBare(sink, deliveries);
    const bare = await timed('bare loop', () => postBare(sink, deliveries));
    await timed('warm-up', () => drain(setting, Math.min(deliveries, 4_000)));
    const drained = await timed('drain', () => drain(setting, deliveries));
    const awaited = await timed('latency', () => latency(setting, { perSecond, seconds }));
    const exported = await timed('export', () => exportAll(setting, commissions));
    print({ bare, drained, awaited, exported });
  } finally {
    sink.close();
    await stack.close();
  }
}

/** Says on stderr how far it is: the whole takes minutes. */
async function timed<T>(what: string, run: () => Promise<T>): Promise<T> {
  const began = performance.now();
  const result = await run();
  console.error(`${what}: done in ${((performance.now() - began) / 1_000).toFixed(1)} s`);
  return result;
}

async function signIn({ info, demo }: WholeStack): Promise<string> {
  const response = await fetch(`${info.apiUrl}/api/v1/auth/merchant/login`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify(demo.merchant),
  });
  return ((await response.json()) as { accessToken: string }).accessToken;
}

interface Seen {
  bare: number;
  drained: Drain;
  awaited: Latency;
  exported: Export;
}

function print({ bare, drained, awaited, exported }: Seen): void {
  console.log('CPU of each process, us');
  console.table({
    'a delivery of the drain': used(drained.cpu),
    [`a sale at ${perSecond}/s`]: used(awaited.cpu),
    'a thousand rows of the export': used(exported.cpu),
  });
  printFigures([
    { what: 'drain', seen: drained.rate, unit: '/s', target: { least: 3_000 } },
    {
      what: 'drain',
      seen: drained.rate,
      unit: '/s',
      beside: { what: 'bare loop, /s', value: bare },
      target: { least: 0.15 },
    },
    {
      what: `answer to receipt at ${perSecond}/s, p99`,
      seen: awaited.p99,
      unit: 'ms',
      target: { most: 60 },
    },
    {
      what: 'export',
      seen: exported.rows / exported.seconds,
      unit: 'rows/s',
      beside: { what: 'COPY TO, rows/s', value: exported.rows / exported.copySeconds },
      target: { least: 0.3 },
    },
  ]);
  console.log(`answer to receipt, p50: ${awaited.p50.toFixed(1)} ms`);
  console.log(`${exported.megabytes.toFixed(0)} MB exported`);
  for (const [what, { sent, received, repeated }] of Object.entries({ drained, awaited })) {
    expectEqual(`webhooks ${what}`, received, sent);
    expectEqual(`webhooks ${what} twice`, repeated, 0);
  }
  expectEqual('rows of the export', exported.rows, commissions);
}

function used(cpu: Cpu): Cpu & { all: number } {
  return { ...cpu, all: Object.values(cpu).reduce((sum, us) => sum + us, 0) };
}

runAlone(main);
