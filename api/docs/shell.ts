import type { StaticFile } from '../http/server/static-file';
import { escape } from './escape';
import { targetOf, type DocsPage, type Place } from './pages';

const cacheControl = 'public, max-age=60';

const policy =
  "default-src 'none'; style-src 'self'; img-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'";

export interface Shell {
  place: Place;
  pages: readonly DocsPage[];
  /** The page's name below /api/docs. */
  from: string;
  title: string;
  body: string;
  phrase?: string;
}

/** What every page has: where the others are, and the search over them. */
export function shell({
  place,
  pages,
  from,
  title,
  body: content,
  phrase = '',
}: Shell): StaticFile {
  const up = from.includes('/') ? '../' : '';
  const end = place.pageEnd;
  const body = `<!doctype html><html lang="en"><head><meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1"><title>${escape(title)}</title>
<link rel="stylesheet" href="${up}guide.css"></head><body><header><nav aria-label="Beginnings">
<a href="${up}index${end}">Documentation</a> <a href="${up}integrate${end}">Guide</a> <a href="${up}${place.reference}">API reference</a></nav>
<form action="${up}search${end}"><input type="search" name="q" maxlength="200" aria-label="Search" placeholder="Search" value="${escape(phrase)}"> <button>Search</button></form>
</header><div class="columns"><main>
${content}</main><nav aria-label="All pages">${waysIn(pages, up, place)}</nav></div></body></html>`;
  const headers = { 'Content-Security-Policy': policy, 'Referrer-Policy': 'no-referrer' };
  return { type: 'html', body, cacheControl, headers };
}

/** The list of pages beside each page is that of docs/README.md: its headings, and its items' links. */
function waysIn(pages: readonly DocsPage[], up: string, { pageEnd }: Place): string {
  const index = pages.find(({ name }) => name === 'index');
  if (!index) return '';
  const sections = index.text.split(/^## /m).slice(1);
  const lists = sections.map((section) => {
    const [heading = ''] = section.split('\n');
    const links = [...section.matchAll(/^- \[([^\]]+)\]\(([^)\s]+)\)/gm)];
    const items = links.flatMap(([, words = '', href = '']) => {
      const target = targetOf({ pages, from: index, end: pageEnd }, href);
      return target === undefined ? [] : `<li><a href="${up}${target}">${escape(words)}</a></li>`;
    });
    return `<h2>${escape(heading)}</h2><ul>${items.join('\n')}</ul>`;
  });
  return lists.join('\n');
}

/** Tabs are drawn where a browser knows `:has`; elsewhere all examples stand one below the other. */
const tabStyle = [1, 2, 3, 4, 5, 6]
  .map(
    (nth) =>
      `.tabs:has(input:nth-of-type(${nth}):checked) > pre:not(:nth-of-type(${nth})) { display: none; }`,
  )
  .join('\n');

const style = `
:root { color-scheme: light dark; }
body { margin: 0; font: 16px/1.6 system-ui, sans-serif; }
header { display: flex; flex-wrap: wrap; gap: 8px 24px; justify-content: space-between; padding: 12px 16px; color: #fff; background: #1b2733; }
header a { margin-right: 16px; color: #fff; }
input, button { font: inherit; }
.columns { display: flex; flex-wrap: wrap-reverse; justify-content: center; gap: 0 48px; padding: 24px 16px 64px; }
main { flex: 0 1 760px; min-width: 0; overflow-wrap: break-word; }
.columns > nav { flex: 0 0 220px; font-size: 14px; }
.columns > nav h2 { margin: 1.5em 0 0; font-size: 14px; }
.columns > nav ul { margin: 0; padding: 0; list-style: none; }
@media (max-width: 1060px) { .columns { flex-wrap: wrap; } main, .columns > nav { flex: 1 0 100%; } }
h2 { margin-top: 2.5em; }
img { max-width: 100%; }
pre { padding: 12px; overflow-x: auto; border-radius: 4px; color: #fff; background: #1b2733; font: 13px/1.5 monospace; }
.tabs label { margin-right: 16px; }
.tabs pre { margin-top: 4px; }
${tabStyle}
table { display: block; overflow-x: auto; border-collapse: collapse; }
th, td { padding: 6px 10px; border: 1px solid #8888; text-align: left; vertical-align: top; }
.hits p { margin: 0 0 1.5em; }
`;

export const guideStyle: StaticFile = { type: 'css', body: style, cacheControl };
