import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join, posix } from 'node:path';
import shown from './shown.json';

/** Where a service shows the guide. */
export const guidePath = '/api/docs/integrate';

/** A page of the repository that is shown below /api/docs, and written by `npm run docs`. */
export interface DocsPage {
  /** The path below /api/docs, such as `reference/clicks`. */
  name: string;
  /** Where it stands in the repository, such as `docs/reference/clicks.md`. */
  file: string;
  title: string;
  /** The Markdown as it was written, with the address of a service in its examples. */
  text: string;
}

/** Where pages are shown: by a service, or as files, whose names end in `.html`. */
export interface Place {
  pageEnd: '' | '.html';
  /** The reference of the API, from the folder of the pages. */
  reference: string;
  /** The path from the reference to the folder of the pages. */
  pagesBelow: 'docs/' | '';
}
export const atService: Place = { pageEnd: '', reference: '../docs', pagesBelow: 'docs/' };
export const asFiles: Place = { pageEnd: '.html', reference: 'api.html', pagesBelow: '' };

/** A build has its copy of what is shown beside this file. */
const roots = [join(__dirname, 'pages'), join(__dirname, '../..')];

function rootOf(): string {
  const root = roots.find((path) => existsSync(join(path, 'docs/integrate.md')));
  if (root === undefined) throw new Error('docs/integrate.md is missing');
  return root;
}

/** `reference/README.md` is shown as `reference`, the one of docs/ as `index`. */
const nameOf = (file: string): string => file.replace(/(\/?README)?\.md$/, '') || 'index';

/** Each file that is shown and its name below /api/docs, those of a folder as they lie in it. */
function shownFiles(root: string): [file: string, name: string][] {
  return Object.entries(shown).flatMap(([source, at]): [string, string][] => {
    if (!statSync(join(root, source)).isDirectory()) return [[source, at]];
    const files = readdirSync(join(root, source)).filter((name) => /\.(md|webp)$/.test(name));
    return files.sort().map((name) => [posix.join(source, name), nameOf(posix.join(at, name))]);
  });
}

/** All pages. `serverUrl` takes the place of the address that examples have. */
export function docsPages(serverUrl: string): DocsPage[] {
  const root = rootOf();
  const files = shownFiles(root).filter(([file]) => file.endsWith('.md'));
  return files.map(([file, name]) => {
    const source = readFileSync(join(root, file), 'utf8');
    const [, title = ''] = /^# (.*)$/m.exec(source) ?? [];
    const text = source.replaceAll('https://api.example.com', serverUrl);
    return { name, file, title, text };
  });
}

/** The pictures of pages, by name below /api/docs. */
export function docsPictures(): ReadonlyMap<string, () => Buffer> {
  const root = rootOf();
  const files = shownFiles(root).filter(([file]) => file.endsWith('.webp'));
  return new Map(files.map(([file, name]) => [name, () => readFileSync(join(root, file))]));
}

export interface Seen {
  pages: readonly DocsPage[];
  from: DocsPage;
  /** What is behind a page's name in its address. */
  end: '' | '.html' | '.md';
}

/**
 * Where a link of a page leads here, seen from that page; undefined for a file of the repository that
 * is not shown: its words stay.
 */
export function targetOf({ pages, from, end }: Seen, href: string): string | undefined {
  if (/^(https?:|mailto:|#)/.test(href)) return href;
  const [path = '', hash] = href.split('#');
  const file = posix.join(posix.dirname(from.file), path);
  const page = pages.find((one) => one.file === file);
  if (page === undefined) return undefined;
  // A browser looks from the folder of the address that it is at.
  const target = posix.relative(posix.dirname(from.name), page.name) + end;
  return hash === undefined ? target : `${target}#${hash}`;
}

/** The page as text, for programs: its links lead to the other pages as text. */
export function pageText(pages: readonly DocsPage[], page: DocsPage): string {
  return page.text.replace(/(?<!!)\[([^\]]+)\]\(([^)\s]+)\)/g, (_, words: string, href: string) => {
    const target = targetOf({ pages, from: page, end: '.md' }, href);
    return target === undefined ? words : `[${words}](${target})`;
  });
}
