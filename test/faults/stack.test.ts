import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { isAlive } from '../../stack/parts/identity';
import type { ProcessName, StackInfo } from '../../stack/supervisor/info';
import { namedMetrics } from '../support/alarms';
import { eventually } from '../support/eventually';
import { untilAnswered } from '../support/faults/until-answered';
import { demoKeyHeaders, demoSale } from '../support/stack/demo-shop';
import {
  newStackDir,
  removeStackDir,
  startLocalStack,
  type LocalStack,
} from '../support/stack/local-stack';
import { byNight } from '../support/run/nightly';

jest.setTimeout(120_000);

const dir = newStackDir();
let stack: LocalStack;

afterAll(async () => {
  await stack.stop();
  removeStackDir(dir);
});

interface Reported {
  id: string;
  attributed: boolean;
  commission: { id: string; status: string } | null;
}

async function report(info: StackInfo, transaction: string): Promise<Reported> {
  const response = await fetch(...demoSale(info, transaction));
  expect(response.status).toBe(201);
  return (await response.json()) as Reported;
}

async function countOf(info: StackInfo, transaction: string): Promise<number> {
  const url = `${info.apiUrl}/api/v1/conversions?external_transaction_id=${transaction}`;
  const headers = demoKeyHeaders(info);
  const { total } = (await (await fetch(url, { headers })).json()) as { total: number };
  return total;
}

/** Signs up, and buys twice: each said twice, until there is an answer that counts. */
function startCustomer(info: StackInfo, customerId: string) {
  const { apiUrl, demo } = info;
  const headers = demoKeyHeaders(info);
  const post = <B>(path: string, body: object, fine: number[]) =>
    untilAnswered<B>(apiUrl + path, { method: 'POST', headers, body: JSON.stringify(body) }, fine);
  const signUp = () => {
    const signals = { promo_code: demo?.promoCode, aliases: [`cus_${customerId}`] };
    return post<{ id: string }>(
      '/api/v1/customers',
      { customer_id: customerId, ...signals },
      [200, 201],
    );
  };
  const buy = (order: string) => {
    const sale = { external_transaction_id: `${customerId}-${order}`, customer_id: customerId };
    const price = { event_type: 'purchase', amount_cents: 4_900, currency: 'usd' };
    return post('/api/v1/conversions', { ...sale, ...price }, [201, 409]);
  };
  const signedUp = signUp();
  const story = (async () => {
    const ids = [await signedUp, await signUp()].map(({ body }) => body.id);
    for (const order of ['first', 'first', 'second', 'second']) await buy(order);
    const url = `${apiUrl}/api/v1/customers/cus_${customerId}`;
    const { body } = await untilAnswered<{ conversions: number; id: string }>(
      url,
      { headers },
      [200],
    );
    return [body.conversions, new Set(ids).size, ids.includes(body.id)];
  })();
  return { signedUp, story };
}

async function untilRenewed(names: ProcessName[], before: StackInfo['processes']): Promise<void> {
  const deadline = Date.now() + 30_000;
  while (Date.now() < deadline) {
    const now = stack.info().processes;
    if (names.every((name) => now[name] !== before[name])) return;
    await sleep(100);
  }
  throw new Error(`Not all of ${names.join(', ')} were started again:\n${stack.output()}`);
}

describe('npm start (running.md, Processes)', () => {
  it('brings up a service whose demo can be used at once', async () => {
    stack = await startLocalStack(dir);
    const info = stack.info();

    expect(Object.keys(info.processes).sort()).toEqual([
      'api',
      'postgres',
      'redis',
      'temporal',
      'worker',
    ]);
    expect(await report(info, 'before')).toMatchObject({
      attributed: true,
      commission: { status: 'pending' },
    });
    expect((await fetch(info.demo?.referralUrl ?? '')).status).toBe(200);
    // The build has a copy of the guide.
    const guide = await (await fetch(`${info.apiUrl}/api/docs/integrate`)).text();
    expect(guide).toContain(`src=&quot;${info.apiUrl}/v1/selgeo.js&quot;`);
    for (const admin of [info.adminUrl, info.workerAdminUrl]) {
      expect((await fetch(`${admin}/metrics`)).status).toBe(200);
    }
  });

  it('shows every figure that an alarm or the dashboard names', async () => {
    const info = stack.info();
    const absent = await eventually(async () => {
      const shown = await Promise.all(
        [info.adminUrl, info.workerAdminUrl].map(async (admin) =>
          (await fetch(`${admin}/metrics`)).text(),
        ),
      );
      const lines = shown.join('\n').split('\n');
      const missing = namedMetrics().filter(
        (name) => !lines.some((line) => line.startsWith(`${name}{`)),
      );
      return missing.length === 0 ? missing : undefined;
    });
    expect(absent).toEqual([]);
  });

  it('writes no address to its logs, not even of an account that is there already', async () => {
    const { apiUrl, demo } = stack.info();
    const email = demo?.merchant.email ?? '';
    const again = await fetch(`${apiUrl}/api/v1/auth/merchant/register`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ email, password: 'a long password', name: 'A', workspaceName: 'B' }),
    });
    expect(again.status).toBe(409);

    const logs = readdirSync(dir).filter((name) => name.endsWith('.log'));
    const logged = logs.map((name) => readFileSync(path.join(dir, name), 'utf8')).join('');
    expect(logged).toContain('/api/v1/auth/merchant/register');
    expect(logged).not.toContain(email);
  });

  byNight?.('starts again what is killed, all of it at once too, under new pids', async () => {
    const names: ProcessName[] = ['api', 'worker', 'postgres', 'redis', 'temporal'];
    const before = stack.info().processes;
    const customers = Array.from({ length: 8 }, (_, n) => startCustomer(stack.info(), `user-${n}`));
    await Promise.race(customers.map(({ signedUp }) => signedUp));
    for (const name of names) stack.kill(name);

    await untilRenewed(names, before);

    const info = stack.info();
    // Each story is as if nothing had died between sign-up and sales: one customer, who pays for the first time once.
    for (const { story } of customers) expect(await story).toEqual([2, 1, true]);
    expect(names.every((name) => isAlive(info.processes[name] ?? 0))).toBe(true);
    expect((await report(info, 'after')).attributed).toBe(true);
  });

  it('leaves no process behind at SIGTERM', async () => {
    const { processes } = stack.info();

    expect(await stack.stop()).toBe(0);

    expect(Object.values(processes).filter(isAlive)).toEqual([]);
    expect(existsSync(path.join(dir, 'info.json'))).toBe(false);
  });

  // A second start, and what can be seen at it alone: `npm run test:nightly` has time for them.
  byNight?.('goes on with the same data and the same addresses the next time', async () => {
    const first = stack.output();
    stack = await startLocalStack(dir);

    expect(first).toContain(stack.info().apiUrl);
    expect(await countOf(stack.info(), 'before')).toBe(1);
    expect(await countOf(stack.info(), 'after')).toBe(1);
  });

  byNight?.('ends with a sentence when the port that was asked for is taken', async () => {
    const port = new URL(stack.info().apiUrl).port;
    const other = newStackDir();

    await expect(startLocalStack(other, { PORT: port })).rejects.toThrow(
      `Port ${port} (PORT) is taken`,
    );
    removeStackDir(other);
  });

  byNight?.('goes on and stops everything when nobody reads any more what it prints', async () => {
    const before = stack.info().processes;
    stack.closeOutput();
    stack.kill('redis');
    await untilRenewed(['redis'], before);
    const { processes } = stack.info();

    await stack.stop();

    expect(Object.values(processes).filter(isAlive)).toEqual([]);
    expect(existsSync(path.join(dir, 'info.json'))).toBe(false);
  });
});
