import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';

const root = path.join(__dirname, '../..');
const read = (file: string): string => readFileSync(path.join(root, file), 'utf8');
const pages = readdirSync(path.join(root, 'docs/why')).filter((name) => name !== 'README.md');

it('each page of docs/why is in the index, once', () => {
  const named = [...read('docs/why/README.md').matchAll(/^\| \[[^\]]+\]\(([\w-]+\.md)\)/gm)];
  expect(named.map(([, file]) => file).sort()).toEqual(pages.sort());
});

it.each(pages)('%s says what it costs, or what was left out, and when', (name) => {
  const text = read(`docs/why/${name}`);
  expect(text).toMatch(/^# \S/);
  expect(text).toMatch(/\*(Price|Left out)\*|left as they are/);
  expect(text).toMatch(/^\*History\*: .*\b(2026-)?\d\d-\d\d/m);
});

const folders = [
  ...['entities', 'runtime', 'activities', 'workflows', 'workers', 'api', 'web'],
  ...['stack', 'bench', 'test', 'docs'],
];
const files = folders.flatMap((folder) =>
  readdirSync(path.join(root, folder), { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.(tsx?|[mc]js|md)$/.test(name))
    .map((name) => path.join(folder, name)),
);

/** Comments and pages that say where a reason stands. */
it('every page that is cited is there', () => {
  const cited = files
    .filter((file) => file !== 'test/contract/why.test.ts')
    .flatMap((file) =>
      [...read(file).matchAll(/docs\/(?:why\/([\w-]+\.md)|decisions)/g)].map(
        ([citation, page]) => [file, page ?? citation] as const,
      ),
    );
  expect(cited.filter(([, page]) => ![...pages, 'README.md'].includes(page))).toEqual([]);
  expect(cited.length).toBeGreaterThan(5);
});
