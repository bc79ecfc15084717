import { mkdirSync, readdirSync, renameSync, rmSync, utimesSync } from 'node:fs';
import path from 'node:path';
import { migrate } from '../../entities/database/migrate';
import { newId } from '../../entities/ids';
import { until } from '../support/eventually';
import { newBackedUpServer, type BackedUpServer } from '../support/operate/backed-up-server';

jest.setTimeout(300_000);

let server: BackedUpServer;
beforeAll(async () => {
  server = await newBackedUpServer();
  await server.start();
  await migrate(server.url);
});
afterAll(() => server.close());

/** Something that is committed, by a name of its own. */
const mark = (name: string) =>
  server.ask(`INSERT INTO audit_log (id, actor_type, action, target_type, target_id, created_at)
    VALUES ('${newId()}', 'system', 'drill', 'mark', '${name}', now())`);

const marks = async (): Promise<string[]> =>
  (
    await server.ask<{ name: string }>(
      `SELECT target_id AS name FROM audit_log WHERE action = 'drill' ORDER BY id`,
    )
  ).map(({ name }) => name);

const bases = (): string[] => readdirSync(path.join(server.backups, 'base')).sort();

/** Waits until the receiver has written all that is in the log of the server. */
const allReceived = () =>
  until(async () => {
    const [row] = await server.ask<{ all: boolean }>(
      `SELECT bool_and(write_lsn >= pg_current_wal_flush_lsn()) AS all FROM pg_stat_replication`,
    );
    return row?.all === true;
  });

const momentOf = async (): Promise<string> => {
  const [row] = await server.ask<{ at: Date }>(
    `SELECT date_trunc('second', clock_timestamp()) + interval '1 second' AS at`,
  );
  await until(async () => {
    const [now] = await server.ask<{ isOver: boolean }>(
      `SELECT clock_timestamp() > '${row?.at.toISOString()}' AS "isOver"`,
    );
    return now?.isOver === true;
  });
  return `${row?.at.toISOString().slice(0, 19)}Z`;
};

/** The machine's disk is gone: what is left is in the backups. */
async function loseTheDisk(receiver: { ended: Promise<unknown> }): Promise<void> {
  await server.cut();
  // Ended by itself, and begun again by whoever supervises it.
  await receiver.ended;
  rmSync(server.data, { recursive: true });
}

it('comes back as it was at a moment, and then as it was at the end', async () => {
  const receiver = server.receive();
  await mark('before the backup');
  const base = await server.backup('base');
  expect(base).toMatchObject({ code: 0, out: expect.stringContaining('base backup 20') });
  expect(await server.backup('base')).toEqual({ code: 0, out: '' });
  expect(await server.ask(`SELECT 1 FROM shipments WHERE name = 'base'`)).toHaveLength(1);
  const tooEarly = '2020-01-31T09:30:00Z';
  await mark('kept');
  const moment = await momentOf();
  await mark('wrong');
  await allReceived();

  await loseTheDisk(receiver);
  const refused = await server.backup('restore', tooEarly);
  expect(refused).toEqual({ code: 1, out: 'No base backup is as old as that.\n' });
  const restored = await server.backup('restore', moment);
  expect([restored.code, restored.out]).toEqual([0, expect.stringContaining(`to ${moment}`)]);
  await server.start();
  expect(await marks()).toEqual(['before the backup', 'kept']);

  // What was written since then is another history: its backups begin anew.
  const again = server.receive();
  expect(await server.backup('base')).toMatchObject({ code: 0 });
  await mark('after');
  await allReceived();
  await loseTheDisk(again);
  expect(await server.backup('restore')).toMatchObject({ code: 0 });
  await server.start();
  expect(await marks()).toEqual(['before the backup', 'kept', 'after']);
});

it('keeps base backups of fourteen days, and the log that they need', async () => {
  const receiver = server.receive();
  await server.backup('base');
  const [young = ''] = bases();
  const folder = (name: string) => path.join(server.backups, 'base', name);
  const daysAgo = (days: number) => new Date(Date.now() - days * 86_400_000);
  const nameOf = (at: Date) => `${at.toISOString().slice(0, 19).replaceAll(/[-:]/g, '')}Z`;
  const [old, kept] = [nameOf(daysAgo(15)), nameOf(daysAgo(2))];
  mkdirSync(folder(old));
  utimesSync(folder(old), daysAgo(15), daysAgo(15));
  renameSync(folder(young), folder(kept));
  utimesSync(folder(kept), daysAgo(2), daysAgo(2));
  const log = () =>
    readdirSync(path.join(server.backups, 'log')).filter((name) => !name.includes('.'));
  await server.ask('SELECT pg_switch_wal()');
  await mark('in the next segment');
  await allReceived();
  const before = log();

  expect(await server.backup('base')).toMatchObject({ code: 0 });
  expect(bases()).toHaveLength(2);
  expect(bases()[0]).toBe(kept);
  expect(log()).toEqual(expect.arrayContaining(before));

  utimesSync(folder(kept), daysAgo(15), daysAgo(15));
  renameSync(folder(bases()[1] ?? ''), folder(nameOf(daysAgo(1))));
  utimesSync(folder(bases()[1] ?? ''), daysAgo(1), daysAgo(1));
  expect(await server.backup('base')).toMatchObject({ code: 0 });
  expect(bases()).not.toContain(kept);
  expect(log().length).toBeLessThan(before.length + 2);
  expect(log()).not.toContain(before[0]);
  await server.cut();
  await receiver.ended;
});
