import { setTimeout as pause } from 'node:timers/promises';
import { seedCommissions, seedProgram } from '../../../bench/commission-world';
import type { CommissionWorld } from '../../../bench/commission-world';
import type { Db } from '../../../entities/database/sql';
import { queryOne } from '../../../entities/database/sql';
import { startTestApp, type TestApp } from '../../support/app';
import { buildMember, signIn } from '../../support/build/accounts';

let app: TestApp;
let db: Db;
let world: CommissionWorld;
let token: string;

/** More than the buffers of a connection hold. */
const count = 60_000;

beforeAll(async () => {
  app = await startTestApp();
  db = app.deps.db.manager;
  const owner = await buildMember(db);
  token = (await signIn(app.deps, owner)).accessToken;
  world = await seedProgram(db, owner.workspaceId, 5);
  for (let part = 0; part < 6; part += 1) await seedCommissions(db, world, { count: count / 6 });
}, 60_000);
afterAll(() => app.close());

const ask = (signal?: AbortSignal): Promise<Response> =>
  fetch(`${app.url}/api/v1/programs/${world.programId}/commissions/export`, {
    headers: { Authorization: `Bearer ${token}` },
    ...(signal ? { signal } : {}),
  });

async function openCursors(): Promise<number> {
  const row = await queryOne<{ open: number }>(
    db,
    `SELECT count(*) AS open FROM pg_stat_activity
      WHERE datname = current_database() AND pid <> pg_backend_pid() AND state <> 'idle'
        AND query LIKE '%external_transaction_id%'`,
  );
  return row?.open ?? 0;
}

describe('a long export', () => {
  it('is complete, each row once, and gives its connection back', async () => {
    const text = await (await ask()).text();
    const ids = text
      .trimEnd()
      .split('\r\n')
      .slice(1)
      .map((line) => line.slice(0, 36));
    expect(ids).toHaveLength(count);
    expect(new Set(ids).size).toBe(count);
    expect(ids).toEqual([...ids].sort().reverse());
    while ((await openCursors()) > 0) await pause(20);
  });

  it('ends with a client that leaves in the middle', async () => {
    const controller = new AbortController();
    const response = await ask(controller.signal);
    await response.body?.getReader().read();
    while ((await openCursors()) === 0) await pause(20);
    controller.abort();
    while ((await openCursors()) > 0) await pause(20);
  });

  it('waits for its turn among others, and holds up no other request', async () => {
    const answers = Array.from({ length: 7 }, async () => {
      const response = await ask();
      await response.text();
      return response.status;
    });
    const started = performance.now();
    const list = await fetch(`${app.url}/api/v1/commissions`, {
      headers: { Authorization: `Bearer ${token}` },
    });
    expect(list.status).toBe(200);
    expect(performance.now() - started).toBeLessThan(3_000);
    expect(new Set(await Promise.all(answers))).toEqual(new Set([200]));
    while ((await openCursors()) > 0) await pause(20);
  });

  it('answers a HEAD without holding a connection', async () => {
    const response = await fetch(`${app.url}/api/v1/commissions/export`, {
      method: 'HEAD',
      headers: { Authorization: `Bearer ${token}` },
    });
    expect(response.status).toBe(200);
    while ((await openCursors()) > 0) await pause(20);
  });
});
