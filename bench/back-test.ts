import { maxCommissionRules } from '../entities/rules/programs/terms';
import { buildShops, type Shop } from './support/click-world';
import { registerMerchant, seedProgram } from './support/commission-world';
import { load, type LoadResult } from './support/load';
import { runBench, type Stage } from './support/stage';
import { printFigures } from './support/verdict';
import { busySettings, conversionOf } from './support/workloads';

/**
 * What as many rules as there may be would have made of a programme's sales, alone, and while a neighbour
 * reports its own; and how long it takes to say how many partners have reached a bonus. The sales are reported
 * as a merchant's server would: by codes of 100 partners, five of each customer.
 *
 *   node bench/run.mjs back-test [sales]
 */
const sales = Number(process.argv[2] ?? 100_000);
const partners = 100;
const allowedSeconds = 10;
const neighbour = { connections: 32, rate: 50 };

interface Setting {
  api: string;
  accessToken: string;
  secretKey: string;
  path: string;
  shops: Shop[];
}

async function main(stage: Stage): Promise<void> {
  const setting = await prepare(stage);
  await reportSales(setting);
  await stage.db.query('VACUUM (ANALYZE)');
  const [seconds, tried] = await timed(() => tryTerms(setting));
  const alone = await ofNeighbour(setting, { seconds: 10 });
  let isDone = false;
  const trying = tryTerms(setting).finally(() => (isDone = true));
  const beside = await ofNeighbour(setting, { until: () => isDone });
  await trying;
  if (tried['conversions'] !== sales) throw new Error(JSON.stringify(tried));
  const [reachedSeconds] = await timed(() => putBonus(setting));
  printFigures([
    {
      ...{ what: `${maxCommissionRules} rules on ${sales} sales`, seen: seconds, unit: 's' },
      target: { most: allowedSeconds },
    },
    {
      ...{ what: 'p99 of a neighbour meanwhile', seen: beside.p99, unit: 'ms' },
      target: { most: 250 },
    },
    { what: 'p99 without', seen: alone.p99, unit: 'ms', target: { most: 250 } },
    {
      ...{ what: 'who has reached a bonus', seen: reachedSeconds, unit: 's' },
      target: { most: 1 },
    },
  ]);
}

async function prepare(stage: Stage): Promise<Setting> {
  const api = await stage.serve('api/main.js', busySettings);
  const { workspaceId, accessToken } = await registerMerchant(api);
  const { programId } = await seedProgram(stage.db.manager, workspaceId, partners);
  const shops = await buildShops(stage.db.manager, 100);
  const signedIn = {
    api,
    accessToken,
    secretKey: '',
    shops,
    path: `/api/v1/programs/${programId}`,
  };
  const listed = await send(signedIn, 'GET', `${signedIn.path}/partners?limit=100`);
  const members = listed['data'] as { id: string }[];
  for (const [n, { id }] of members.entries()) {
    const path = `${signedIn.path}/partners/${id}/promo-codes`;
    await send(signedIn, 'POST', path, { code: `BENCH${n}` });
  }
  const made = await send(signedIn, 'POST', '/api/v1/workspace/api-keys', {
    ...{ kind: 'secret', mode: 'live' },
  });
  return { ...signedIn, secretKey: String(made['key']) };
}

async function reportSales({ api, secretKey }: Setting): Promise<void> {
  const { statuses } = await load({
    ...{ url: api, connections: 32, amount: sales },
    makeRequest: (n) => ({
      path: '/api/v1/conversions',
      headers: { Authorization: `Bearer ${secretKey}`, 'Content-Type': 'application/json' },
      body: JSON.stringify({
        external_transaction_id: `sale_${n}`,
        event_type: 'purchase',
        promo_code: `BENCH${n % partners}`,
        amount_cents: 1_000 + (n % 9_000),
        currency: 'usd',
        customer_id: `customer_${n % Math.ceil(sales / 5)}`,
        items: [{ product_id: `prod_${n % 50}` }],
      }),
    }),
  });
  console.log('sales reported', statuses);
}

function ofNeighbour(
  { api, shops }: Setting,
  end: { seconds: number } | { until: () => boolean },
): Promise<LoadResult> {
  return load({ url: api, ...neighbour, ...end, makeRequest: () => conversionOf(shops) });
}

function tryTerms(setting: Setting): Promise<Record<string, unknown>> {
  const rules = Array.from({ length: maxCommissionRules }, (_, n) => ({
    name: `Rule ${n}`,
    match: { productIds: [`prod_${n}`], customerMonths: { to: 11 }, paymentNumbers: { from: 2 } },
    ...{ type: 'percentage', rateBps: 1_000 + n },
  }));
  return send(setting, 'POST', `${setting.path}/commission-rules/back-test`, { rules });
}

function putBonus(setting: Setting): Promise<Record<string, unknown>> {
  const bonus = { name: 'Many', metric: 'customers', atLeast: 1_000_000, amountCents: 100 };
  return send(setting, 'PUT', `${setting.path}/bonuses`, {
    bonuses: [{ ...bonus, window: { from: null } }],
  });
}

async function timed<T>(run: () => Promise<T>): Promise<[seconds: number, answer: T]> {
  const started = performance.now();
  const answer = await run();
  return [(performance.now() - started) / 1_000, answer];
}

async function send(
  { api, accessToken }: Setting,
  method: string,
  path: string,
  body?: object,
): Promise<Record<string, unknown>> {
  const response = await fetch(api + path, {
    method,
    headers: { Authorization: `Bearer ${accessToken}`, 'Content-Type': 'application/json' },
    ...(body && { body: JSON.stringify(body) }),
  });
  const answer = (await response.json()) as Record<string, unknown>;
  if (!response.ok) throw new Error(`${path} answered ${JSON.stringify(answer)}`);
  return answer;
}

runBench(main);
