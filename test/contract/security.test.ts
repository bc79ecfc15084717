import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';

const root = path.join(__dirname, '../..');
const text = readFileSync(path.join(root, 'docs/security.md'), 'utf8');
const earned = readFileSync(path.join(root, 'bench/README.md'), 'utf8');

/** Pairs such as `test/a.test.ts`, "title", "another of the same file". */
const proofs = [...(text + earned).matchAll(/`(test\/[\w./-]+\.ts)`((?:, "[^"]+")+)/g)].flatMap(
  ([, file = '', titles = '']) =>
    [...titles.matchAll(/"([^"]+)"/g)].map(([, title = '']) => [file, title] as const),
);

it.each(proofs)('%s proves: %s', (file, title) => {
  const where = path.join(root, file);
  expect(existsSync(where)).toBe(true);
  // As it stands in the source, whichever quotes are around it.
  expect(readFileSync(where, 'utf8').replaceAll("\\'", "'")).toContain(title);
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
