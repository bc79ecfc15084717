import { readFileSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import { query } from '../entities/database/sql';
import { newId } from '../entities/ids';
import { buildShops, type Shop } from './support/click-world';
import { registerMerchant, seedProgram } from './support/commission-world';
import { cpuOf } from './support/cpu';
import { partsOf, type ImportSize } from './support/import-files';
import { load } from './support/load';
import { runBench, type Stage } from './support/stage';
import { countedStatements, countStatements, longestStatements } from './support/statements';
import { printFigures } from './support/verdict';
import { serveWorkflows } from './support/worker';
import { busySettings, conversionOf } from './support/workloads';

/**
 * An import of partners, customers and commissions, from the first file to the last ledger line, as API,
 * worker and Temporal do it, while a neighbour reports sales: seconds, memory and CPU of each process, what
 * the neighbour's sales were answered in, and which statements took the time.
 *
 *   node bench/run.mjs import [partners] [customers] [commissions] [sales a second of the neighbour]
 */
const size: ImportSize = {
  partners: Number(process.argv[2] ?? 100_000),
  customers: Number(process.argv[3] ?? 500_000),
  commissions: Number(process.argv[4] ?? 1_000_000),
};
const allowedSeconds = 15 * 60 * (size.commissions / 1_000_000);
const neighbour = { connections: 16, rate: Number(process.argv[5] ?? 20) };

interface Setting {
  stage: Stage;
  api: string;
  token(): Promise<string>;
  path: string;
  shops: Shop[];
  pids: Record<string, number>;
}

interface ImportAnswer {
  id: string;
  status: string;
  progress: { step: string; done: number } | null;
  report: {
    money: { currency: string; openCents: number; paidCents: number }[];
    problems: { count: number };
  } | null;
}

interface Step {
  seconds: number;
  p99: number;
  row: object;
}

async function main(stage: Stage): Promise<void> {
  const { setting, programId } = await prepare(stage);
  await countStatements(stage.db.manager);
  const steps: Step[] = [];
  steps.push(await measured(setting, 'files', () => upload(setting)));
  steps.push(
    await measured(setting, 'check', async () => {
      await send(setting, 'POST', '/check');
      await untilIt(setting, 'checked');
    }),
  );
  const { report } = await send(setting, 'GET');
  if (!report || report.problems.count > 0) throw new Error(JSON.stringify(report?.problems));
  const expected = report.money.map(({ currency, openCents, paidCents }) => {
    return { currency, openCents, paidCents };
  });
  steps.push(
    await measured(setting, 'apply', async () => {
      await send(setting, 'POST', '/apply', { expected });
      await untilIt(setting, 'applied');
    }),
  );
  console.table(steps.map(({ row }) => row));
  console.table(await longestStatements(stage.db.manager, 25));
  await assertBooked(stage, programId);
  const seconds = steps.reduce((sum, step) => sum + step.seconds, 0);
  printFigures([
    {
      ...{ what: `import of ${size.commissions} commissions`, seen: seconds, unit: 's' },
      target: { most: allowedSeconds },
    },
    ...steps.map(({ p99 }, place) => ({
      what: `p99 of a neighbour's sales, ${['files', 'check', 'apply'][place]}`,
      seen: p99,
      unit: 'ms',
      target: { most: 250 },
    })),
  ]);
}

async function prepare(stage: Stage): Promise<{ setting: Setting; programId: string }> {
  const temporal = await stage.startTemporal();
  const api = await stage.serve('api/main.js', busySettings);
  const { workspaceId, lastingToken: token } = await registerMerchant(api);
  const { programId } = await seedProgram(stage.db.manager, workspaceId, 0);
  const shops = await buildShops(stage.db.manager, 100);
  const worker = await serveWorkflows(stage, { TEMPORAL_ADDRESS: temporal.address });
  const { postgres } = stage.pids;
  const pids = { api: stage.pidOf(api), worker, postgres, temporal: temporal.pid };
  const base = { stage, api, token, shops, pids };
  const path = `/api/v1/programs/${programId}/imports`;
  const draft = { source: 'csv', cutover: '2026-06-01T00:00:00Z' };
  const { id } = await send({ ...base, path }, 'POST', '', draft);
  return { setting: { ...base, path: `${path}/${id}` }, programId };
}

/** A step of the import, and how the neighbour fared meanwhile. */
async function measured(setting: Setting, step: string, work: () => Promise<void>): Promise<Step> {
  const before = spent(setting);
  const started = performance.now();
  let isDone = false;
  const sales = load({
    ...{ url: setting.api, ...neighbour, until: () => isDone },
    ...(neighbour.rate === 0 && { amount: 0 }),
    makeRequest: () => conversionOf(setting.shops),
  });
  await work().finally(() => (isDone = true));
  const seconds = (performance.now() - started) / 1_000;
  const { p50, p99, statuses } = await sales;
  const refused = Object.keys(statuses).filter((status) => status !== '201');
  if (refused.length > 0) throw new Error(`the neighbour was answered ${refused.join(', ')}`);
  const after = spent(setting);
  const cpu = Object.fromEntries(
    Object.entries(after).map(([name, us]) => [
      `CPU s, ${name}`,
      Number(((us - (before[name] ?? 0)) / 1e6).toFixed(1)),
    ]),
  );
  const { api, worker } = setting.pids;
  const row = {
    ...{ step, seconds: Number(seconds.toFixed(1)), 'p50 ms': Math.round(p50) },
    ...{ 'p99 ms': Math.round(p99), ...cpu },
    ...{ 'worker MB': largestOf(worker), 'API MB': largestOf(api) },
  };
  console.log(JSON.stringify(row));
  return { seconds, p99, row };
}

function spent({ pids }: Setting): Record<string, number> {
  return Object.fromEntries(Object.entries(pids).map(([name, pid]) => [name, cpuOf(pid)]));
}

/** The most memory that a process has held so far, in MB. */
const largestOf = (pid = 0): number => memoryOf(pid, /VmHWM:\s*(\d+) kB/);
/** What it holds now. */
const heldBy = (pid = 0): number => memoryOf(pid, /VmRSS:\s*(\d+) kB/);

function memoryOf(pid: number, line: RegExp): number {
  const [, kilobytes = ''] = line.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? [];
  return Math.round(Number(kilobytes) / 1_024);
}

const looksEachMs = 30_000;

async function untilIt(setting: Setting, wanted: string): Promise<void> {
  const started = performance.now();
  let looks = 0;
  for (;;) {
    const { status, progress } = await send(setting, 'GET');
    if (status === wanted) return;
    if (!['reading', 'applying'].includes(status)) throw new Error(`the import is ${status}`);
    const seconds = Math.round((performance.now() - started) / 1_000);
    if (seconds * 1_000 >= looks * looksEachMs) {
      const held = `worker ${heldBy(setting.pids['worker'])} MB`;
      console.log(`${seconds} s: ${progress?.step ?? status} ${progress?.done ?? 0}, ${held}`);
      looks += 1;
    }
    await pause(500);
  }
}

async function upload({ api, token, path }: Setting): Promise<void> {
  for (const { kind, part, csv } of partsOf(size)) {
    const response = await fetch(`${api}${path}/files/${kind}?part=${part}`, {
      method: 'PUT',
      headers: { Authorization: `Bearer ${await token()}`, 'Content-Type': 'text/csv' },
      body: csv,
    });
    if (response.status !== 204) throw new Error(await response.text());
  }
}

async function send(
  { api, token, path }: Pick<Setting, 'api' | 'token' | 'path'>,
  method: 'GET' | 'POST',
  rest = '',
  body: object = {},
): Promise<ImportAnswer> {
  const response = await fetch(`${api}${path}${rest}`, {
    method,
    headers: {
      Authorization: `Bearer ${await token()}`,
      'Content-Type': 'application/json',
      ...(method === 'POST' && { 'Idempotency-Key': newId() }),
    },
    ...(method === 'POST' && { body: JSON.stringify(body) }),
  });
  const answer = (await response.json()) as ImportAnswer;
  if (response.status >= 300) throw new Error(JSON.stringify(answer));
  return answer;
}

async function assertBooked({ db }: Stage, programId: string): Promise<void> {
  const [row] = await query<ImportSize>(
    db.manager,
    `SELECT (SELECT count(*) FROM participants WHERE program_id = $1) AS partners,
            (SELECT count(*) FROM customers WHERE program_id = $1) AS customers,
            (SELECT count(*) FROM commissions WHERE program_id = $1) AS commissions`,
    [programId],
  );
  if (JSON.stringify(row) !== JSON.stringify(size)) {
    throw new Error(`${JSON.stringify(row)} in place of ${JSON.stringify(size)}`);
  }
}

runBench(main, countedStatements);
