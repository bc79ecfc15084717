import { runImportTurn } from '../activities/imports/turn';
import { query } from '../entities/database/sql';
import { newId } from '../entities/ids';
import { registerMerchant, seedProgram } from './support/commission-world';
import { runBench, type Stage } from './support/stage';

/**
 * An import of partners, customers and commissions, from the first file to the last ledger line, while
 * others of the workspace report sales: what they are answered in, and how much memory the work takes.
 *
 *   node bench/run.mjs import [partners] [customers] [commissions]
 */
const partners = Number(process.argv[2] ?? 100_000);
const customers = Number(process.argv[3] ?? 500_000);
const commissions = Number(process.argv[4] ?? 1_000_000);
const allowedSeconds = 15 * 60;
const rowsOfAPart = 100_000;

interface Setting {
  api: string;
  accessToken: string;
  path: string;
}

async function main(stage: Stage): Promise<void> {
  const api = await stage.serve('api/main.js');
  const { workspaceId, accessToken } = await registerMerchant(api);
  const { programId } = await seedProgram(stage.db.manager, workspaceId, 0);
  const setting = { api, accessToken, path: `/api/v1/programs/${programId}/imports` };
  const made = await send(setting, 'POST', '', { source: 'csv', cutover: '2026-06-01T00:00:00Z' });
  const id = String(made['id']);
  const deps = await stage.openDeps({ DATABASE_URL: stage.databaseUrl });
  const memory = watchMemory();
  const rows: object[] = [];

  const timed = async (step: string, work: () => Promise<void>): Promise<number> => {
    const started = performance.now();
    await work();
    const seconds = (performance.now() - started) / 1_000;
    rows.push({ step, seconds: seconds.toFixed(1), 'largest RSS': `${memory.largest()} MB` });
    return seconds;
  };
  const untilDone = async (): Promise<void> => {
    for (;;) if ((await runImportTurn(deps, id)).isDone) return;
  };
  let seconds = await timed('files', () => upload({ ...setting, path: `${setting.path}/${id}` }));
  seconds += await timed('check', async () => {
    await send(setting, 'POST', `/${id}/check`);
    await untilDone();
  });
  const checked = await send(setting, 'GET', `/${id}`);
  const { money, problems } = checked['report'] as {
    money: { currency: string; openCents: number; paidCents: number }[];
    problems: { count: number };
  };
  if (problems.count > 0) throw new Error(`${problems.count} rows have a problem`);
  const expected = money.map(({ currency, openCents, paidCents }) => {
    return { currency, openCents, paidCents };
  });
  seconds += await timed('apply', async () => {
    await send(setting, 'POST', `/${id}/apply`, { expected });
    await untilDone();
  });
  memory.stop();
  console.table(rows);
  await assertBooked(stage, programId);
  const share = commissions / 1_000_000;
  console.log(`${seconds.toFixed(0)} s, of ${(allowedSeconds * share).toFixed(0)} s for so many`);
  if (seconds > allowedSeconds * share) process.exitCode = 1;
}

async function assertBooked({ db }: Stage, programId: string): Promise<void> {
  const [row] = await query<{ partners: number; customers: number; commissions: number }>(
    db.manager,
    `SELECT (SELECT count(*) FROM participants WHERE program_id = $1) AS partners,
            (SELECT count(*) FROM customers WHERE program_id = $1) AS customers,
            (SELECT count(*) FROM commissions WHERE program_id = $1) AS commissions`,
    [programId],
  );
  const asked = JSON.stringify({ partners, customers, commissions });
  if (JSON.stringify(row) !== asked) throw new Error(`${JSON.stringify(row)} in place of ${asked}`);
}

/** Each kind in parts, as a merchant would send them. */
async function upload(setting: Setting): Promise<void> {
  await put(setting, 'partners', partners, {
    header: 'partner_id,email,name,status',
    row: (n) => `p${n},p${n}@example.com,Partner ${n},active`,
  });
  await put(setting, 'links', partners, {
    header: 'partner_id,token',
    row: (n) => `p${n},token.${n}`,
  });
  await put(setting, 'customers', customers, {
    header: 'partner_id,customer_id,aliases,bound_at,first_paid_at',
    row: (n) => `p${n % partners},u${n},cus_${n},2025-01-01,2025-01-02`,
  });
  await put(setting, 'commissions', commissions, {
    header:
      'commission_id,partner_id,customer_id,sale_id,sale_amount,amount,currency,status,occurred_at',
    row: (n) =>
      `c${n},p${n % partners},u${n % customers},ch_${n},100.00,20.00,usd,${n % 4 === 0 ? 'approved' : 'paid'},2026-01-01`,
  });
}

async function put(
  { api, accessToken, path }: Setting,
  kind: string,
  count: number,
  { header, row }: { header: string; row: (n: number) => string },
): Promise<void> {
  for (let from = 0, part = 1; from < count; from += rowsOfAPart, part += 1) {
    const length = Math.min(rowsOfAPart, count - from);
    const lines = Array.from({ length }, (_, index) => row(from + index));
    const response = await fetch(`${api}${path}/files/${kind}?part=${part}`, {
      method: 'PUT',
      headers: { Authorization: `Bearer ${accessToken}`, 'Content-Type': 'text/csv' },
      body: [header, ...lines].join('\n'),
    });
    if (response.status !== 204) throw new Error(await response.text());
  }
}

async function send(
  { api, accessToken, path }: Setting,
  method: string,
  rest: string,
  body?: object,
): Promise<Record<string, unknown>> {
  const response = await fetch(`${api}${path}${rest}`, {
    method,
    headers: {
      Authorization: `Bearer ${accessToken}`,
      'Content-Type': 'application/json',
      ...(method === 'POST' && { 'Idempotency-Key': newId() }),
    },
    ...(method === 'POST' && { body: JSON.stringify(body ?? {}) }),
  });
  const answer = (await response.json()) as Record<string, unknown>;
  if (response.status >= 300) throw new Error(JSON.stringify(answer));
  return answer;
}

function watchMemory(): { largest: () => number; stop: () => void } {
  let largest = 0;
  const look = (): void => {
    largest = Math.max(largest, process.memoryUsage().rss);
  };
  const timer = setInterval(look, 200);
  return { largest: () => Math.round(largest / 1e6), stop: () => clearInterval(timer) };
}

runBench(main);
