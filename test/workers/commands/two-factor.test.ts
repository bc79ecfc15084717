import { execFile } from 'node:child_process';
import path from 'node:path';
import { query } from '../../../entities/database/sql';
import { newId } from '../../../entities/ids';
import { openTestDeps, testEnvironment, type TestDeps } from '../../support/app';
import { buildPartner } from '../../support/build/accounts';
import { buildTwoFactor } from '../../support/build/two-factor';
import { buildService } from '../../support/stack/service-process';

let deps: TestDeps;
beforeAll(async () => {
  buildService();
  deps = await openTestDeps();
}, 120_000);
afterAll(() => deps.close());

/** The command as an operator runs it. */
function twoFactor(...args: string[]): Promise<{ code: number; out: string; err: string }> {
  const script = path.join(__dirname, '../../../dist/workers/commands/main.js');
  const env = { PATH: process.env['PATH'] ?? '', ...testEnvironment(deps.config.databaseUrl) };
  return new Promise((resolve) => {
    execFile(process.execPath, [script, 'two-factor', ...args], { env }, (error, out, err) =>
      resolve({ code: Number(error?.code ?? 0), out, err }),
    );
  });
}

it('takes the second factor off an account, once', async () => {
  const { id } = await buildPartner(deps.db.manager);
  await buildTwoFactor(deps, { side: 'partner', id });
  const done = await twoFactor('reset', 'partner', id.toUpperCase());
  expect(done).toEqual({
    code: 0,
    out: `The partner ${id} has no second factor any more.\n`,
    err: '',
  });
  const left = await query(deps.db.manager, 'SELECT 1 FROM two_factors WHERE account_id = $1', [
    id,
  ]);
  expect(left).toEqual([]);
  const again = await twoFactor('reset', 'partner', id);
  expect([again.code, again.err]).toEqual([1, 'There is no second factor to do this with.\n']);
}, 60_000);

it.each([
  ['no account', ['reset', 'partner', newId()], 'There is nothing here.'],
  ['an address in place of an id', ['reset', 'partner', 'pat@example.com'], 'aps two-factor'],
  ['no side', ['reset', newId()], 'aps two-factor'],
  ['nothing', [], 'aps two-factor'],
])(
  'refuses %s with a sentence',
  async (_name, args, sentence) => {
    const { code, out, err } = await twoFactor(...args);
    expect([code, out]).toEqual([1, '']);
    expect(err).toContain(sentence);
  },
  60_000,
);
