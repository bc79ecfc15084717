import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import { parse } from 'yaml';

const root = path.join(__dirname, '../..');
const read = (file: string): string => readFileSync(path.join(root, file), 'utf8');
const readJson = <T>(file: string): T => JSON.parse(read(file)) as T;

interface Manifest {
  name: string;
  version: string;
  license: string;
  keywords?: string[];
  scripts?: Record<string, string>;
}

const scripts = Object.keys(readJson<Manifest>('package.json').scripts ?? {});
const packages = readdirSync(path.join(root, 'packages')).map((name) => `packages/${name}`);
const manifests = ['.', ...packages]
  .map((folder) => path.join(folder, 'package.json'))
  .filter((file) => existsSync(path.join(root, file)));
const workflows = readdirSync(path.join(root, '.github/workflows'));
const pages = [
  ...readdirSync(root).filter((name) => name.endsWith('.md')),
  ...['docs', 'bench', 'examples', 'packages', '.github'].flatMap((folder) =>
    readdirSync(path.join(root, folder), { recursive: true, encoding: 'utf8' })
      .filter((name) => name.endsWith('.md') && !/node_modules|generated/.test(name))
      .map((name) => path.join(folder, name)),
  ),
];

describe('the README', () => {
  it('is read in three minutes', () => {
    expect(read('README.md').split('\n').length).toBeLessThanOrEqual(121);
  });

  it('has each picture in light and dark, none of them heavy', () => {
    const named = [...read('README.md').matchAll(/docs\/pictures\/([\w-]+\.webp)/g)];
    const files = readdirSync(path.join(root, 'docs/pictures'));
    expect(named.map(([, file]) => file).sort()).toEqual(files.sort());
    expect(files.filter((file) => !/-(light|dark)\.webp$/.test(file))).toEqual([]);
    for (const file of files) {
      expect(statSync(path.join(root, 'docs/pictures', file)).size).toBeLessThan(150_000);
    }
  });
});

it('says the same of the licence in every package, with its text beside it', () => {
  const licence = read('LICENSE');
  expect(licence).toMatch(/^MIT License\n/);
  for (const file of manifests) {
    const { license, keywords = [] } = readJson<Manifest>(file);
    expect([file, license]).toEqual([file, 'MIT']);
    expect(keywords).toContain('affiliate');
    expect(read(path.join(path.dirname(file), 'LICENSE'))).toBe(licence);
  }
});

it('the repository has one version, which the changelog is about to tell, and each release in the changelog', () => {
  const versions = new Set(manifests.map((file) => readJson<Manifest>(file).version));
  expect([...versions]).toHaveLength(1);
  const told = [...read('CHANGELOG.md').matchAll(/^## (\d+\.\d+\.\d+) - \d{4}-\d\d-\d\d$/gm)];
  const released = readJson<{ version: string }[]>('stack/releases.json');
  expect(told.map(([, version]) => version).sort()).toEqual(
    released.map(({ version }) => version).sort(),
  );
  expect(read('CHANGELOG.md')).toContain('\n## Unreleased\n');
});

/** The anchors that GitHub gives the headings of a page. */
function anchorsOf(text: string): string[] {
  return [...text.matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) =>
    heading
      .toLowerCase()
      .replace(/[^\p{L}\p{N}\-_ ]/gu, '')
      .replaceAll(' ', '-'),
  );
}

/** Where links and pictures of a page lead, those of other hosts left out. */
function linksOf(text: string): string[] {
  const prose = text.replace(/^```.*?^```/gms, '').replace(/`[^`\n]*`/g, '');
  const targets = [
    ...prose.matchAll(/\]\(([^)\s]+)\)/g),
    ...prose.matchAll(/(?:src|srcset)="([^"]+)"/g),
  ];
  return targets.flatMap(([, href = '']) => (/^(https?|mailto):/.test(href) ? [] : [href]));
}

function isBroken(page: string, href: string): boolean {
  const [file = '', anchor] = href.split('#');
  const target = file === '' ? page : path.join(path.dirname(page), file);
  if (!existsSync(path.join(root, target))) return true;
  return anchor !== undefined && !anchorsOf(read(target)).includes(anchor);
}

it('no page has a link that leads nowhere', () => {
  const broken = pages.flatMap((page) =>
    linksOf(read(page))
      .filter((href) => isBroken(page, href))
      .map((href) => `${page}: ${href}`),
  );
  expect(broken).toEqual([]);
  expect(pages.flatMap((page) => linksOf(read(page))).length).toBeGreaterThan(150);
});

describe('the documentation', () => {
  /** What links of a page lead to, as files of the repository. */
  const ledTo = (page: string): string[] =>
    linksOf(read(page)).map((href) => path.join(path.dirname(page), href.replace(/#.*/, '')));

  it('leads from its first page to all others', () => {
    const met = new Set(['docs/README.md']);
    for (const page of met) {
      if (page.endsWith('.md')) for (const next of ledTo(page)) met.add(next);
    }
    const docs = pages.filter((page) => page.startsWith('docs/'));
    expect(docs.filter((page) => !met.has(page))).toEqual([]);
  });

  it('says nothing twice', () => {
    const places = new Map<string, string[]>();
    // Each client is packed with its own page, which stands alone.
    for (const page of pages.filter((name) => !/^packages|^CHANGELOG/.test(name))) {
      for (const sentence of new Set(sentencesOf(read(page)))) {
        places.set(sentence, [...(places.get(sentence) ?? []), page]);
      }
    }
    const twice = [...places].filter(([, at]) => at.length > 1);
    expect(twice).toEqual([]);
    expect(places.size).toBeGreaterThan(500);
  });
});

/** Sentences of prose that are long enough to be somebody's thought, without their marks. */
function sentencesOf(text: string): string[] {
  const prose = text.replace(/^```.*?^```/gms, '').replace(/[*`]/g, '');
  return prose
    .split(/\n\s*\n|\n(?=\s*(?:[-|#]|\d+\.))|[.:;](?=\s)/)
    .map((sentence) => sentence.replace(/\s+/g, ' ').trim().toLowerCase())
    .filter((sentence) => sentence.length > 70 && !sentence.startsWith('|'));
}

it('names only npm scripts that there are, in pages and in checks of the repository', () => {
  // The changelog tells of some that are gone.
  const living = pages.filter((page) => page !== 'CHANGELOG.md');
  const texts = [...living, ...workflows.map((file) => `.github/workflows/${file}`)];
  const named = texts.flatMap((file) =>
    [...read(file).matchAll(/npm run (?:-s |--silent )?([a-z][\w:-]*)/g)].map(
      ([, name = '']) => [file, name] as const,
    ),
  );
  expect(named.filter(([, name]) => !scripts.includes(name))).toEqual([]);
  expect(named.length).toBeGreaterThan(40);
});

describe.each(workflows)('.github/workflows/%s', (file) => {
  const text = read(`.github/workflows/${file}`);

  it("takes other people's actions by their commit", () => {
    const uses = [...text.matchAll(/uses: (\S+)/g)].map(([, action = '']) => action);
    expect(uses.filter((action) => !/^\.\/|@[0-9a-f]{40}$/.test(action))).toEqual([]);
  });

  it('may write nothing that it does not name', () => {
    const { permissions } = parse(text) as { permissions?: Record<string, string> };
    expect(Object.values(permissions ?? { all: 'write' })).not.toContain('write');
  });
});
