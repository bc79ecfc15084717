import { execFile } from 'node:child_process';
import path from 'node:path';
import { newId } from '../../../entities/ids';
import { execute, query } from '../../../entities/database/sql';
import { testEnvironment } from '../../support/app';
import { openTestDataSource, type TestDataSource } from '../../support/data-source';
import { buildService } from '../../support/stack/service-process';

let database: TestDataSource;
beforeAll(async () => {
  buildService();
  database = await openTestDataSource(2);
}, 120_000);
afterAll(() => database.close());

interface Ended {
  code: number;
  out: string;
  err: string;
}

/** The command as an operator runs it. */
function outbox(...args: string[]): Promise<Ended> {
  const script = path.join(__dirname, '../../../dist/workers/commands/main.js');
  const env = { PATH: process.env['PATH'] ?? '', ...testEnvironment(database.url) };
  return new Promise((resolve) => {
    execFile(process.execPath, [script, 'outbox', ...args], { env }, (error, out, err) =>
      resolve({ code: Number(error?.code ?? 0), out, err }),
    );
  });
}

const ok = (out: string): Ended => ({ code: 0, out: `${out}\n`, err: '' });

interface Dead {
  id: string;
  topic: string;
  ref: string;
  workspaceId: string;
}

/** Writes a dead row that was given up at that hour of a day, and so many times since its first hour. */
async function bury(topic: string, { hour, times = 1 }: { hour: number; times?: number }) {
  const dead: Dead = { id: newId(), topic, ref: newId(), workspaceId: newId() };
  await execute(
    database.source.manager,
    `INSERT INTO outbox_dead (id, topic, ref, payload, workspace_id, attempts, error_code,
       queued_at, died_at, times, first_died_at)
     VALUES ($1, $2, $3, '{"secret": "of the payload"}', $4, 20, 'GRPC_3',
       $5::timestamptz - interval '1 hour', $5, $6, '2026-01-31T00:00:00Z')`,
    [dead.id, topic, dead.ref, dead.workspaceId, `2026-01-31T0${hour}:00:00Z`, times],
  );
  return dead;
}

function lineOf({ id, topic, ref }: Dead, rest: string): string {
  return `${id}  ${topic}  ${ref}  GRPC_3  20 attempts  ${rest}`;
}

const queued = (): Promise<Omit<Dead, 'id'>[]> =>
  query(
    database.source.manager,
    `SELECT topic, ref, workspace_id AS "workspaceId" FROM outbox
      WHERE attempts = 0 AND lease_until IS NULL AND payload ->> 'secret' = 'of the payload'
      ORDER BY id`,
  );

const withoutId = ({ topic, ref, workspaceId }: Dead) => ({ topic, ref, workspaceId });

it('lists what was given up, and queues again one row, a topic or all', async () => {
  expect(await outbox('list')).toEqual(ok('Nothing was given up.'));
  const mail = await bury('mail', { hour: 3 });
  const often = await bury('stripe_event', { hour: 1, times: 3 });
  const stripe = await bury('stripe_event', { hour: 2 });
  const last = await bury('mail', { hour: 4 });
  const stripeLines = [
    lineOf(often, '2026-01-31T01:00:00.000Z  3 times since 2026-01-31T00:00:00.000Z'),
    lineOf(stripe, '2026-01-31T02:00:00.000Z'),
  ];
  const mailLines = [
    lineOf(mail, '2026-01-31T03:00:00.000Z'),
    lineOf(last, '2026-01-31T04:00:00.000Z'),
  ];
  expect(await outbox('list')).toEqual(ok([...stripeLines, ...mailLines].join('\n')));
  expect(await outbox('list', 'stripe_event')).toEqual(ok(stripeLines.join('\n')));

  expect(await outbox('retry', mail.id)).toEqual(ok('1 queued again'));
  expect(await queued()).toEqual([withoutId(mail)]);
  expect(await outbox('retry', mail.id)).toEqual(ok('0 queued again'));
  expect(await outbox('retry', 'stripe_event')).toEqual(ok('2 queued again'));
  expect(await outbox('list')).toEqual(ok(mailLines[1] ?? ''));
  expect(await outbox('retry', 'all')).toEqual(ok('1 queued again'));
  expect(await outbox('list')).toEqual(ok('Nothing was given up.'));
  const byRef = (a: { ref: string }, b: { ref: string }) => a.ref.localeCompare(b.ref);
  const all = [mail, often, stripe, last].map(withoutId);
  expect((await queued()).sort(byRef)).toEqual(all.sort(byRef));
}, 120_000);

it.each(['', 'list no_such_topic', 'retry', 'retry 17', 'delete all'])(
  'changes nothing, and says how it is used: "%s"',
  async (line) => {
    const dead = await bury('mail', { hour: 5 });
    const { code, out, err } = await outbox(...line.split(' ').filter(Boolean));
    expect([code, out]).toEqual([1, '']);
    expect(err).toMatch(/aps outbox list \[topic\]\n.*retry <id>\|<topic>\|all\nTopics: /);
    const left = await query(database.source.manager, 'SELECT 1 FROM outbox_dead WHERE id = $1', [
      dead.id,
    ]);
    expect(left).toHaveLength(1);
  },
);
