import { setTimeout as pause } from 'node:timers/promises';
import { Pool } from 'pg';
import type { ProcessName, StackInfo } from '../../stack/supervisor/info';
import type { ImportDto } from '../../api/imports/imports.dto';
import { partsOf } from '../../bench/support/import-files';
import { untilAnswered } from '../support/faults/until-answered';
import { signInAtDemo } from '../support/stack/demo-shop';
import {
  newStackDir,
  removeStackDir,
  startLocalStack,
  type LocalStack,
} from '../support/stack/local-stack';

jest.setTimeout(300_000);

const size = { partners: 500, customers: 2_000, commissions: 20_000 };
const cents = 2_000;
const open = size.commissions / 4;
const money = {
  currency: 'usd',
  openCents: open * cents,
  paidCents: (size.commissions - open) * cents,
};

const dir = newStackDir();
let stack: LocalStack;
let info: StackInfo;
let database: Pool;
let token: string;

beforeAll(async () => {
  stack = await startLocalStack(dir, { RATE_LIMIT_GENERAL: '0' });
  info = stack.info();
  database = new Pool({ connectionString: info.databaseUrl });
  ({ accessToken: token } = await signInAtDemo(info));
}, 120_000);

afterAll(async () => {
  await database.end();
  await stack.stop();
  removeStackDir(dir);
});

async function call<B>(method: string, rest: string, body?: object | string): Promise<B> {
  const isText = typeof body === 'string';
  const answer = await untilAnswered<B>(
    `${info.apiUrl}/api/v1/programs${rest}`,
    {
      method,
      headers: {
        Authorization: `Bearer ${token}`,
        'X-Mode': 'test',
        'Content-Type': isText ? 'text/csv' : 'application/json',
      },
      ...(body !== undefined && { body: isText ? body : JSON.stringify(body) }),
    },
    [200, 201, 202, 204],
  );
  return answer.body;
}

/** Kills these one after the other while the import is at its work, at shares of it; gives it at its end. */
async function atItsEnd(
  path: string,
  wanted: ImportDto['status'],
  kills: readonly ProcessName[],
): Promise<ImportDto> {
  const left = [...kills];
  for (;;) {
    const one = await call<ImportDto>('GET', path);
    if (one.status === wanted) {
      expect(left).toEqual([]);
      return one;
    }
    expect(['reading', 'applying', 'undoing']).toContain(one.status);
    const next = left.shift();
    if (next) stack.kill(next);
    await pause(1_000);
  }
}

const counted = async <R>(sql: string, programId: string): Promise<R[]> =>
  (await database.query(sql, [programId])).rows as R[];

it('checks, books and undoes an import once, whatever is killed meanwhile', async () => {
  const program = await call<{ id: string }>('POST', '', {
    ...{ name: 'Moved', websiteUrl: 'https://moved.example' },
    commission: { type: 'percentage', rateBps: 2_000 },
  });
  const draft = { source: 'csv', cutover: '2026-06-01T00:00:00Z' };
  const { id } = await call<ImportDto>('POST', `/${program.id}/imports`, draft);
  const path = `/${program.id}/imports/${id}`;
  for (const { kind, part, csv } of partsOf(size)) {
    await call('PUT', `${path}/files/${kind}?part=${part}`, csv);
  }

  await call('POST', `${path}/check`);
  const checked = await atItsEnd(path, 'checked', ['worker', 'api', 'worker']);
  expect(checked.report?.kinds.map(({ kind, read, new: added }) => [kind, read, added])).toEqual(
    (['partners', 'links', 'customers', 'commissions'] as const).map((kind) => {
      const count = kind === 'links' ? size.partners : size[kind];
      return [kind, count, count];
    }),
  );
  expect(checked.report?.money).toMatchObject([money]);

  await call('POST', `${path}/apply`, { expected: [money] });
  await atItsEnd(path, 'applied', ['worker', 'temporal', 'api', 'worker']);
  expect(
    await counted(
      `SELECT status, count(*)::int AS commissions, count(DISTINCT conversion_id)::int AS sales,
              sum(amount_cents)::int AS cents
         FROM commissions WHERE program_id = $1 GROUP BY 1 ORDER BY 1`,
      program.id,
    ),
  ).toEqual([
    { status: 'approved', commissions: open, sales: open, cents: money.openCents },
    { status: 'paid', commissions: 3 * open, sales: 3 * open, cents: money.paidCents },
  ]);
  const doubled = `SELECT commission_id, type FROM ledger_entries WHERE program_id = $1
                    GROUP BY 1, 2 HAVING count(*) > 1`;
  expect(await counted(doubled, program.id)).toEqual([]);
  const owed = 'SELECT sum(amount_cents)::int AS cents FROM ledger_entries WHERE program_id = $1';
  expect(await counted(owed, program.id)).toEqual([{ cents: money.openCents }]);

  await call('POST', `${path}/undo`);
  await atItsEnd(path, 'undone', ['worker', 'api']);
  expect(await counted(owed, program.id)).toEqual([{ cents: 0 }]);
  const stays = 'SELECT count(*)::int AS partners FROM participants WHERE program_id = $1';
  expect(await counted(stays, program.id)).toEqual([{ partners: 0 }]);
});
