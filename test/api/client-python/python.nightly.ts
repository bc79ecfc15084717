import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { version } from '../../../package.json';
import { useApp } from '../../support/app';
import { buildApiKey } from '../../support/build/accounts';
import { buildParticipant, buildProgram, buildPromoCode } from '../../support/build/programs';

// The night needs a Python of 3.9 or newer besides: where it has none, this fails.
const run = promisify(execFile);
const root = path.join(__dirname, '../../..');
const source = path.join(root, 'packages/client-python');
const app = useApp();
const folder = mkdtempSync(path.join(tmpdir(), 'python-'));
const python = path.join(folder, 'bin/python');

beforeAll(async () => {
  await run('python3', ['-m', 'venv', folder]);
  const wheel = `${app.url}/client/affiliate_programme_client-${version}-py3-none-any.whl`;
  await run(python, ['-m', 'pip', 'install', '-q', wheel, 'pytest', 'mypy', 'flask']);
}, 300_000);
afterAll(() => rmSync(folder, { recursive: true }));

it('the package that the service gives out passes its tests against that service', async () => {
  const db = app.deps.db.manager;
  const { key, workspaceId } = await buildApiKey(db, { mode: 'test' });
  const kind = { workspaceId, mode: 'test' as const };
  const manager = await buildApiKey(db, { ...kind, kind: 'management', role: 'admin' });
  const program = await buildProgram(db, kind);
  const { code } = await buildPromoCode(db, await buildParticipant(db, { program }));
  const service = {
    url: app.url,
    secret_key: key,
    management_key: manager.key,
    promo_code: code,
    guide: path.join(root, 'docs/integrate'),
  };
  const tests = ['-m', 'pytest', '-q', '-p', 'no:cacheprovider', path.join(source, 'tests')];
  const { stdout } = await run(python, tests, {
    cwd: folder,
    env: {
      ...process.env,
      AFFILIATE_SERVICE: JSON.stringify(service),
      PYTHONDONTWRITEBYTECODE: '1',
    },
  }).catch((error: { stdout: string; stderr: string }) => {
    throw new Error(error.stdout + error.stderr);
  });
  expect(stdout).toMatch(/\d+ passed in/);
  expect(stdout).not.toMatch(/skipped|failed/);
}, 300_000);

it('holds what its types say', async () => {
  const config = path.join(source, 'pyproject.toml');
  const cache = path.join(folder, 'mypy');
  const args = ['-m', 'mypy', '--config-file', config, '--cache-dir', cache, 'src'];
  const { stdout } = await run(python, args, { cwd: source });
  expect(stdout).toContain('no issues found');
}, 300_000);
