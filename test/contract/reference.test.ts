import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';

const root = path.join(__dirname, '../..');
const folders = [
  ...['entities', 'runtime', 'activities', 'workflows', 'workers', 'api'],
  ...['stack', 'bench', 'test'],
];
const page = (name: string): string =>
  readFileSync(path.join(root, 'docs/reference', `${name}.md`), 'utf8');

/** Citations such as `(docs/reference/payments.md, Renewals)`, whatever lines they are spread over. */
function citationsOf(file: string): string[][] {
  const text = readFileSync(file, 'utf8').replace(/\s*\n\s*\*\s/g, ' ');
  return [...text.matchAll(/\(docs\/reference\/([\w-]+)\.md(?:, ([^()]+))?\)/g)].map(
    ([, name = '', heading]) => (heading ? [name, heading] : [name]),
  );
}

const sources = folders.flatMap((folder) =>
  readdirSync(path.join(root, folder), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts') && !name.endsWith('reference.test.ts'))
    .map((name) => path.join(root, folder, name)),
);

it('holds every heading that a comment cites', () => {
  const broken = sources.flatMap((file) =>
    citationsOf(file)
      .filter(([name = '', heading]) => heading && !page(name).includes(`## ${heading}\n`))
      .map((citation) => `${path.relative(root, file)}: ${citation.join(', ')}`),
  );
  expect(broken).toEqual([]);
  expect(sources.flatMap(citationsOf).length).toBeGreaterThan(40);
});

it('the index of the reference names each of its pages', () => {
  const pages = readdirSync(path.join(root, 'docs/reference')).filter(
    (name) => name !== 'README.md',
  );
  for (const name of pages) expect(page('README')).toContain(`](${name})`);
});

describe('a test names each heading that promises something', () => {
  /** Titles such as `a replay (webhooks.md, Retry and replay)`. */
  const cited = sources
    .filter((file) => /\.(test|nightly)\.ts$/.test(file))
    .flatMap((file) => [...readFileSync(file, 'utf8').matchAll(/\((\w+)\.md, ([^()]+)\)['"`]/g)])
    .map(([, name, heading]) => `${name}, ${heading}`);

  it('and no test names one that is not there', () => {
    const known = new Set(headings());
    expect(cited.filter((citation) => !known.has(citation))).toEqual([]);
  });

  it('which leaves none without a test', () => {
    const named = new Set(cited);
    expect(headings().filter((heading) => !named.has(heading))).toEqual([]);
  });
});

function headings(): string[] {
  const pages = readdirSync(path.join(root, 'docs/reference')).map((file) => file.slice(0, -3));
  return pages.flatMap((name) =>
    [...page(name).matchAll(/^##+ (.+)$/gm)].map(([, heading]) => `${name}, ${heading}`),
  );
}
