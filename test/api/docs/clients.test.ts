import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { execFile } from 'node:child_process';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { version } from '../../../package.json';
import { useApp } from '../../support/app';
import { packedClient } from '../../support/packed-client';

const app = useApp();
const name = `affiliate-programme-client-${version}.tgz`;
const folder = mkdtempSync(path.join(tmpdir(), 'served-'));
afterAll(() => rmSync(folder, { recursive: true }));

// The build packs it, which `npm test` does first; a suite alone wants `npm run build`.
it('a service gives out its own client, byte by byte what npm pack makes of it', async () => {
  const answer = await fetch(`${app.url}/client/${name}`, {
    headers: { 'Accept-Encoding': 'gzip' },
  });
  expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'application/gzip']);
  expect(answer.headers.get('content-encoding')).toBeNull();
  const bytes = Buffer.from(await answer.arrayBuffer());
  expect(bytes.equals(readFileSync(packedClient().tarball))).toBe(true);
});

it('a service gives out the client for Python, byte by byte what its script packs', async () => {
  const wheel = `affiliate_programme_client-${version}-py3-none-any.whl`;
  const script = path.join(__dirname, '../../../packages/client-python/wheel.mjs');
  await promisify(execFile)(process.execPath, [script, folder]);
  const answer = await fetch(`${app.url}/client/${wheel}`);
  const bytes = Buffer.from(await answer.arrayBuffer());
  expect([answer.status, bytes.equals(readFileSync(path.join(folder, wheel)))]).toEqual([
    200,
    true,
  ]);
});

it('npm installs the client from the service into an empty project', async () => {
  writeFileSync(path.join(folder, 'package.json'), '{"private":true}');
  const args = ['install', `${app.url}/client/${name}`, '--no-audit', '--no-fund'];
  const env = { ...process.env, npm_config_cache: path.join(folder, 'cache') };
  await promisify(execFile)('npm', args, { cwd: folder, env });
  const script = "console.log(Object.keys(require('affiliate-programme-client')).join())";
  const { stdout } = await promisify(execFile)(process.execPath, ['-e', script], { cwd: folder });
  expect(stdout).toContain('AffiliateClient');
});

it('a service gives out no other file beside its clients', async () => {
  for (const other of ['stamp', 'package.json', '..%2Fmain.js']) {
    expect([other, (await app.client.get(`/client/${other}`)).status]).toEqual([other, 404]);
  }
});

it('every page names the line that installs the client from the service', async () => {
  const line = `npm install ${app.deps.config.publicBaseUrl}/client/${name}`;
  for (const page of ['integrate.md', 'agents.md']) {
    expect(await (await fetch(`${app.url}/api/docs/${page}`)).text()).toContain(line);
  }
  expect(await (await fetch(`${app.url}/llms.txt`)).text()).toContain(line);
  const root = path.join(__dirname, '../../..');
  for (const file of ['packages/client/README.md', 'docs/integrate.md']) {
    const text = readFileSync(path.join(root, file), 'utf8');
    expect(text).toContain(`npm install https://api.example.com/client/${name}`);
  }
});
