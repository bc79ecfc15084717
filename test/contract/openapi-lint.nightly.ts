import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openApiFiles } from '../../api/write-documents';

function lintProblems(file: string): string[] {
  // The one rule that does not fit here: the server is a local one.
  const options = ['--extends=recommended', '--format=json', '--skip-rule=no-server-example.com'];
  const { stdout } = spawnSync(
    join('node_modules', '.bin', 'redocly'),
    ['lint', file, ...options],
    {
      encoding: 'utf8',
      env: { ...process.env, REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' },
    },
  );
  const { problems } = JSON.parse(stdout) as {
    problems: { ruleId: string; message: string; location: { pointer: string }[] }[];
  };
  const texts = problems.map(
    ({ ruleId, message, location }) => `${ruleId} ${location[0]?.pointer ?? ''} ${message}`,
  );
  return [...new Set(texts)];
}

it.each(Object.entries(openApiFiles()))('%s passes a linter without a warning', (name, text) => {
  const folder = mkdtempSync(join(tmpdir(), 'openapi-'));
  try {
    writeFileSync(join(folder, name), text);
    expect(lintProblems(join(folder, name))).toEqual([]);
  } finally {
    rmSync(folder, { recursive: true });
  }
});
