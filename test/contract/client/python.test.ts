import { execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { openApiFiles } from '../../../api/write-documents';
import { operations } from '../../../packages/client/src/generated/operations';
import { version } from '../../../package.json';

const root = path.join(__dirname, '../../..');
const source = path.join(root, 'packages/client-python');
const generated = 'src/affiliate_programme_client/generated';
const folder = mkdtempSync(path.join(tmpdir(), 'python-client-'));
afterAll(() => rmSync(folder, { recursive: true }));

const node = (script: string, ...args: string[]): unknown =>
  execFileSync(process.execPath, [path.join(source, script), ...args]);
const textOf = (...name: string[]): string => readFileSync(path.join(...name), 'utf8');
const filesOf = (where: string): Record<string, string> =>
  Object.fromEntries(
    readdirSync(path.join(where, generated))
      .filter((name) => name.endsWith('.py'))
      .map((name) => [name, textOf(where, generated, name)]),
  );

it('the client for Python is what its generator makes of the document today; else run npm run openapi', () => {
  const document = path.join(folder, 'openapi.json');
  writeFileSync(document, openApiFiles()['openapi.json'] ?? '');
  node('generate.mjs', document, folder);
  expect(filesOf(source)).toEqual(filesOf(folder));
});

it('the client for Python has every method that the other client has', () => {
  const resources = textOf(source, generated, 'resources.py');
  const snake = (name: string) => name.replace(/([a-z0-9])([A-Z])/g, '$1_$2').toLowerCase();
  const names = Object.entries(operations).flatMap(([resource, methods]) =>
    Object.keys(methods).map((method) => `"${snake(resource)}.${snake(method)}"`),
  );
  expect(names.filter((name) => !resources.includes(name))).toEqual([]);
});

it('the client for Python has the version and licence of the whole, and says what changed with it', () => {
  expect(textOf(source, 'pyproject.toml')).toContain(`\nversion = "${version}"\n`);
  expect(textOf(source, 'CHANGELOG.md')).toContain(`\n## ${version}\n`);
  expect(textOf(source, 'LICENSE')).toBe(textOf(root, 'LICENSE'));
  const line = `pip install https://api.example.com/client/affiliate_programme_client-${version}-py3-none-any.whl`;
  for (const file of ['packages/client-python/README.md', 'docs/integrate.md']) {
    expect(textOf(root, file)).toContain(line);
  }
});

it('the client for Python is packed without Python, twice to the same bytes', () => {
  const wheel = `affiliate_programme_client-${version}-py3-none-any.whl`;
  const packed = ['a', 'b'].map((name) => {
    node('wheel.mjs', path.join(folder, name));
    return readFileSync(path.join(folder, name, wheel));
  });
  expect(packed[0]?.length).toBeGreaterThan(10_000);
  expect(packed[0]?.equals(packed[1] ?? Buffer.of())).toBe(true);
});
