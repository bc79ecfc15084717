import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join, posix } from 'node:path';

/** A page of docs/ that every service shows below /api/docs. */
export interface DocsPage {
  /** Below /api/docs, such as `reference/clicks`. */
  name: string;
  title: string;
  /** As it was written, with the address of this service in its examples. */
  text: string;
}

/** A build has its copy beside this file. */
const folders = [join(__dirname, 'pages'), join(__dirname, '../../docs')];

/** The files that are shown, below docs/: what a merchant's developer reads. */
function shownFiles(folder: string): string[] {
  const reference = readdirSync(join(folder, 'reference')).filter((name) => name.endsWith('.md'));
  return ['integrate.md', 'webhooks.md', ...reference.sort().map((name) => `reference/${name}`)];
}

/** `reference/README.md` is shown as `reference`, `webhooks.md` as `webhooks`. */
const nameOf = (file: string): string => file.replace(/(\/README)?\.md$/, '');
const fileOf = (name: string): string =>
  name === 'reference' ? 'reference/README.md' : `${name}.md`;

/** All pages, the guide first. */
export function docsPages(serverUrl: string): DocsPage[] {
  const folder = folders.find((path) => existsSync(join(path, 'integrate.md')));
  if (folder === undefined) throw new Error('docs/integrate.md is missing');
  return shownFiles(folder).map((file) => {
    const source = readFileSync(join(folder, file), 'utf8');
    const [, title = ''] = /^# (.*)$/m.exec(source) ?? [];
    const text = source.replaceAll('https://api.example.com', serverUrl);
    return { name: nameOf(file), title, text };
  });
}

/**
 * Where a link of a page leads here, seen from that page; undefined for a file of the repository that
 * is not shown: its words stay.
 */
export function targetOf(pages: ReadonlySet<string>, from: string, href: string) {
  if (/^(https?:|#)/.test(href)) return href;
  const [file = '', hash] = href.split('#');
  const name = nameOf(posix.join(posix.dirname(fileOf(from)), file));
  if (!pages.has(name)) return undefined;
  // A browser looks from the folder of the address that it is at.
  const target = posix.relative(posix.dirname(from), name);
  return hash === undefined ? target : `${target}#${hash}`;
}

/** The page as text, for programs: its links lead to the other pages as text. */
export function pageText(pages: ReadonlySet<string>, { name, text }: DocsPage): string {
  return text.replace(/(?<!!)\[([^\]]+)\]\(([^)\s]+)\)/g, (_, words: string, href: string) => {
    const target = targetOf(pages, name, href);
    if (target === undefined) return words;
    const isPage = !/^(https?:|#)/.test(target);
    return `[${words}](${isPage ? target.replace(/(?=#|$)/, '.md') : target})`;
  });
}
