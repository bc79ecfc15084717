import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';

const root = path.join(__dirname, '../..');
const text = readFileSync(path.join(root, 'docs/security.md'), 'utf8');
const earned = readFileSync(path.join(root, 'bench/README.md'), 'utf8');
const pages = readFileSync(path.join(root, 'docs/dashboard.md'), 'utf8');

/** Pairs such as `test/a.test.ts`, "title", "another of the same file". */
const proofs = [
  ...(text + earned + pages).matchAll(/`(test\/[\w./-]+\.ts)`((?:, "[^"]+")+)/g),
].flatMap(([, file = '', titles = '']) =>
  [...titles.matchAll(/"([^"]+)"/g)].map(([, title = '']) => [file, title] as const),
);

it.each(proofs)('%s proves: %s', (file, title) => {
  const where = path.join(root, file);
  expect(existsSync(where)).toBe(true);
  const source = readFileSync(where, 'utf8');
  expect(isLeftOut(source)).toBe(false);
  // The title stands there as in the source, whichever quotes are around it.
  expect(withoutComments(source).replaceAll("\\'", "'")).toContain(title);
});

const withoutComments = (source: string): string =>
  source.replaceAll(/^\s*(\/\/|\/\*|\*).*$/gm, '');

/** A file of proofs has no test that does not run. */
const isLeftOut = (source: string): boolean =>
  /\b(?:it|test|describe)\.(?:skip|todo|failing)\b|\bx(?:it|test|describe)\(/.test(
    withoutComments(source),
  );

it('takes no title in a comment for a proof, and none in a suite that is left out', () => {
  expect(withoutComments(`  // it('refuses', () => {`)).not.toContain('refuses');
  expect(withoutComments(`it('refuses', () => {`)).toContain('refuses');
  // The words are in parts here, since this file is read, too.
  for (const [head, tail] of [
    ['describe', '.skip('],
    ['x', 'it('],
    ['it', '.todo('],
  ]) {
    expect(isLeftOut(`${head}${tail}`)).toBe(true);
  }
  expect(['it(', 'it.each(', 'exit('].some(isLeftOut)).toBe(false);
});

it("takes exact versions of other people's code, each by its hash", () => {
  const read = (file: string): unknown => JSON.parse(readFileSync(path.join(root, file), 'utf8'));
  const { dependencies } = read('package.json') as { dependencies: Record<string, string> };
  const loose = Object.entries(dependencies).filter(
    ([, version]) => !/^\d+\.\d+\.\d+$/.test(version),
  );
  expect(loose).toEqual([]);
  const { packages } = read('package-lock.json') as {
    packages: Record<string, { integrity?: string; link?: boolean }>;
  };
  const unnamed = Object.entries(packages).filter(
    ([name, { integrity, link }]) => name.includes('node_modules/') && !link && !integrity,
  );
  expect(unnamed).toEqual([]);
});

it('names a test in every row of its tables', () => {
  const rows = text.split('\n').filter((line) => line.startsWith('|') && !/^\|[-|]+$/.test(line));
  const heads = rows.filter((line) => /\| proof \|$/.test(line));
  const unproven = rows.filter((line) => !heads.includes(line) && !/`test\/[^`]+`, "/.test(line));
  expect(unproven).toEqual([]);
  expect(heads.length).toBeGreaterThan(6);
});

it('speaks of every chapter of ASVS 5.0', () => {
  const missing = Array.from({ length: 17 }, (_, n) => `V${n + 1}`).filter(
    (chapter) => !new RegExp(`\\b${chapter}\\b`).test(text),
  );
  expect(missing).toEqual([]);
});
