import { execFileSync } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

const root = path.join(__dirname, '../..');
const page = readFileSync(path.join(root, 'docs/adding-an-endpoint.md'), 'utf8');
/** The files that the page shows, by their paths. */
const files = [...page.matchAll(/^```ts\n\/\/ (\S+)\n(.*?)^```$/gms)].map(
  ([, file = '', text = '']) => ({ file, text }),
);

const folder = mkdtempSync(path.join(tmpdir(), 'endpoint-'));
afterAll(() => rmSync(folder, { recursive: true }));

it('shows files that are not there yet, from the rule to its tests, and a table', () => {
  expect(files.map(({ file }) => file.split('/')[0])).toEqual([
    'entities',
    'activities',
    'api',
    'test',
    'test',
    'entities',
    'entities',
  ]);
  expect(files.filter(({ file }) => existsSync(path.join(root, file)))).toEqual([]);
});

it('compiles as it stands, as if its files lay in their rooms', () => {
  for (const { file, text } of files) {
    mkdirSync(path.join(folder, path.dirname(file)), { recursive: true });
    writeFileSync(path.join(folder, file), text);
  }
  symlinkSync(path.join(root, 'node_modules'), path.join(folder, 'node_modules'));
  const config = {
    extends: path.join(root, 'tsconfig.json'),
    // A relative import is looked for in both.
    compilerOptions: { rootDirs: [folder, root], rootDir: '/' },
    files: files.map(({ file }) => file),
    include: [],
  };
  writeFileSync(path.join(folder, 'tsconfig.json'), JSON.stringify(config));
  expect(problemsOf()).toBe('');
});

function problemsOf(): string {
  const compiler = path.join(root, 'node_modules/typescript7/bin/tsc');
  try {
    return execFileSync(process.execPath, [compiler, '-p', folder], { encoding: 'utf8' });
  } catch (error) {
    return (error as { stdout: string }).stdout;
  }
}
