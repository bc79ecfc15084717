import { setTimeout as pause } from 'node:timers/promises';
import { seedCommissions, seedProgram } from '../../../bench/support/commission-world';
import type { CommissionWorld } from '../../../bench/support/commission-world';
import type { Db } from '../../../entities/database/sql';
import { queryOne } from '../../../entities/database/sql';
import { useApp } from '../../support/app';
import { buildMember, signIn } from '../../support/build/accounts';
import { asOwner } from '../../support/database';

const app = useApp();
let db: Db;
let world: CommissionWorld;
let token: string;

/** The rows, which with long ids are more than the buffers of a connection hold. */
const count = 8_000;

beforeAll(async () => {
  db = app.deps.db.manager;
  const owner = await buildMember(db);
  token = (await signIn(app.deps, owner)).accessToken;
  world = await seedProgram(db, owner.workspaceId, 5);
  await seedCommissions(db, world, { count });
  await asOwner(
    app.deps.config.databaseUrl,
    `UPDATE commissions SET external_transaction_id = external_transaction_id || repeat('x', 900)`,
  );
}, 60_000);

const ask = (signal?: AbortSignal): Promise<Response> =>
  fetch(`${app.url}/api/v1/programs/${world.programId}/commissions/export`, {
    headers: { Authorization: `Bearer ${token}` },
    ...(signal ? { signal } : {}),
  });

/** Reads exports to their end, which frees the account's place, until one was answered. */
async function untilFree(): Promise<void> {
  for (;;) {
    const response = await ask();
    await response.text();
    if (response.status === 200) return;
  }
}

/** Connections that read for exports just now, or keep a snapshot for one. */
async function busyReaders(): Promise<number> {
  const row = await queryOne<{ busy: number }>(
    db,
    `SELECT count(*) AS busy FROM pg_stat_activity
      WHERE datname = current_database() AND pid <> pg_backend_pid()
        AND (state <> 'idle' OR backend_xmin IS NOT NULL)
        AND query LIKE '%external_transaction_id%'`,
  );
  return row?.busy ?? 0;
}

/** Another account of the same workspace or, by default, of another one. */
async function askAs(workspaceId?: string, signal?: AbortSignal): Promise<Response> {
  const member = await buildMember(db, workspaceId ? { workspaceId } : {});
  const { accessToken } = await signIn(app.deps, member);
  return fetch(`${app.url}/api/v1/commissions/export`, {
    headers: { Authorization: `Bearer ${accessToken}` },
    ...(signal ? { signal } : {}),
  });
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
  });

  it('is one an account, and ends with a client that leaves in the middle', async () => {
    const controller = new AbortController();
    const response = await ask(controller.signal);
    await response.body?.getReader().read();
    const second = await ask();
    expect(second.status).toBe(429);
    expect(second.headers.get('retry-after')).toBe('10');
    controller.abort();
    await untilFree();
  });

  it('of a reader who takes nothing keeps no snapshot and nobody waiting', async () => {
    const controller = new AbortController();
    const idle = await Promise.all(
      Array.from({ length: 8 }, () => askAs(world.workspaceId, controller.signal)),
    );
    expect(new Set(idle.map(({ status }) => status))).toEqual(new Set([200]));
    while ((await busyReaders()) > 0) await pause(20);

    // It would be refused if it had to wait for one of them.
    const neighbour = await askAs();
    expect(neighbour.status).toBe(200);
    expect(await neighbour.text()).toContain('externalTransactionId');
    controller.abort();
  });

  it('across programmes has each row once, newest first', async () => {
    const second = await seedProgram(db, world.workspaceId, 2);
    await seedCommissions(db, second, { count: 2_000 });
    const text = await (await askAs(world.workspaceId)).text();
    const ids = text
      .trimEnd()
      .split('\r\n')
      .slice(1)
      .map((line) => line.slice(0, 36));
    expect(new Set(ids).size).toBe(count + 2_000);
    expect(ids).toEqual([...ids].sort().reverse());
  });

  it('answers a HEAD without holding anything', async () => {
    const response = await fetch(`${app.url}/api/v1/commissions/export`, {
      method: 'HEAD',
      headers: { Authorization: `Bearer ${token}` },
    });
    expect(response.status).toBe(200);
    await untilFree();
  });
});
