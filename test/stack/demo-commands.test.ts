import { execFile } from 'node:child_process';
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { demoCommands } from '../../stack/demo/commands';
import type { Demo } from '../../stack/demo/seed';
import { startTestApp, type TestApp } from '../support/app';
import { buildApiKey, buildMember, testPassword } from '../support/build/accounts';
import { buildParticipant, buildProgram, buildPromoCode } from '../support/build/programs';

/** The part of curl that the commands use: not every machine has it. */
const curl = `#!/usr/bin/env node
const { positionals: [url], values } = require('node:util').parseArgs({
  allowPositionals: true,
  options: {
    silent: { short: 's', type: 'boolean' },
    method: { short: 'X', type: 'string' },
    header: { short: 'H', type: 'string', multiple: true },
    data: { short: 'd', type: 'string' },
  },
});
const { method = values.data ? 'POST' : 'GET', header, data: body } = values;
const headers = header.map((line) => line.split(': '));
fetch(url, { method, headers, body }).then((answer) => answer.text()).then(console.log);
`;

let app: TestApp;
let bin: string;

beforeAll(async () => {
  app = await startTestApp();
  bin = mkdtempSync(path.join(tmpdir(), 'demo-commands-'));
  writeFileSync(path.join(bin, 'curl'), curl);
  chmodSync(path.join(bin, 'curl'), 0o755);
});
afterAll(async () => {
  rmSync(bin, { recursive: true });
  await app.close();
});

async function buildDemo(): Promise<Demo> {
  const db = app.deps.db.manager;
  const { email, workspaceId } = await buildMember(db, { email: 'demo@merchant.example' });
  const { key: secret } = await buildApiKey(db, { workspaceId, mode: 'test', kind: 'secret' });
  const program = await buildProgram(db, { workspaceId, mode: 'test', holdDays: 30 });
  const participant = await buildParticipant(db, { program });
  const { code } = await buildPromoCode(db, participant, { code: 'DEMO-2024' });
  const login = { email, password: testPassword };
  const pair = { public: 'pk_test_', secret };
  return {
    merchant: login,
    partner: login,
    programId: program.id,
    referralUrl: '',
    promoCode: code,
    keys: { test: pair, live: pair },
  };
}

it('the commands that a start prints are short lines, and do what they say', async () => {
  const commands = demoCommands(app.url, await buildDemo()).map(({ command }) => command);
  expect(commands).toHaveLength(4);
  for (const line of commands.join('\n').split('\n')) expect(line.length).toBeLessThanOrEqual(200);

  const env = { ...process.env, PATH: `${bin}:${process.env['PATH'] ?? ''}` };
  const { stdout } = await promisify(execFile)('sh', ['-c', commands.join('\n')], { env });
  const [sale, list, approved] = stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Record<string, unknown>);
  expect(sale).toMatchObject({ attributed: true });
  expect(list).toMatchObject({ total: 1, data: [{ status: 'pending' }] });
  expect(approved).toMatchObject({ status: 'approved' });
});
