import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { openApiFiles } from '../../api/write-documents';
import { npm } from '../support/packed-client';

const files = openApiFiles();

let folder: string;

beforeAll(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'openapi-'));
  for (const [name, text] of Object.entries(files)) writeFileSync(path.join(folder, name), text);
  writeFileSync(path.join(folder, 'package.json'), '{"private":true}');
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Each once, as `rule place message`. */
function redoclyProblems(file: string): string[] {
  // The one rule that does not fit here: the server is a local one.
  const options = ['--extends=recommended', '--format=json', '--skip-rule=no-server-example.com'];
  const { stdout } = spawnSync(path.join('node_modules/.bin/redocly'), ['lint', file, ...options], {
    encoding: 'utf8',
    env: { ...process.env, REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' },
  });
  const { problems } = JSON.parse(stdout) as {
    problems: { ruleId: string; message: string; location: { pointer: string }[] }[];
  };
  const texts = problems.map(
    ({ ruleId, message, location }) => `${ruleId} ${location[0]?.pointer ?? ''} ${message}`,
  );
  return [...new Set(texts)];
}

/** Errors and warnings alike, by Spectral's own rules. */
function spectralProblems(file: string): string[] {
  const { stdout, stderr } = spawnSync(
    path.join(folder, 'node_modules/.bin/spectral'),
    ['lint', file, '--ruleset', 'spectral.yaml', '--format', 'json', '--quiet'],
    { cwd: folder, encoding: 'utf8' },
  );
  if (stderr !== '') throw new Error(stderr);
  const problems = JSON.parse(stdout) as { code: string; path: string[]; message: string }[];
  return problems.map(({ code, path: at, message }) => `${code} ${at.join('/')} ${message}`);
}

it.each(Object.keys(files))('%s passes Redocly without a warning', (name) => {
  expect(redoclyProblems(path.join(folder, name))).toEqual([]);
});

it('both pass Spectral without a warning', () => {
  // Larger than what it is needed for: by night alone.
  npm(['install', '@stoplight/spectral-cli@6.16.3'], folder);
  // Who is written to about a service is known to those who run it.
  writeFileSync(
    path.join(folder, 'spectral.yaml'),
    'extends: ["spectral:oas"]\nrules: {info-contact: off}\n',
  );
  for (const name of Object.keys(files)) expect([name, ...spectralProblems(name)]).toEqual([name]);
}, 600_000);
