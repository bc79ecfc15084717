import { Marked } from 'marked';
import type { StaticFile } from '../http/server/static-file';
import { targetOf, type DocsPage } from './pages';

/** Where the guide is served, as a page and as it was written. */
export const guidePath = '/api/docs/integrate';

const cacheControl = 'public, max-age=60';

const policy =
  "default-src 'none'; style-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'";

/** A page of docs/ as HTML, which runs no script. */
export function guidePage(pages: ReadonlySet<string>, page: DocsPage): StaticFile {
  const body = toHtml(pages, page.name).parse(page.text, { async: false });
  return shell({ from: page.name, title: page.title, body });
}

interface Shell {
  /** The page's name below /api/docs. */
  from: string;
  title: string;
  body: string;
  phrase?: string;
}

/** What every page has: where the others are, and the search over them. */
export function shell({ from, title, body: content, phrase = '' }: Shell): StaticFile {
  const up = from.includes('/') ? '../' : '';
  const body = `<!doctype html><html lang="en"><head><meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1"><title>${escape(title)}</title>
<link rel="stylesheet" href="${up}guide.css"></head><body><header><nav>
<a href="${up}integrate">Guide</a> <a href="${up}webhooks">Webhooks</a> <a href="${up}reference">How it works</a>
<a href="${up}../docs">API reference</a></nav>
<form action="${up}search"><input type="search" name="q" maxlength="200" aria-label="Search" placeholder="Search" value="${escape(phrase)}"> <button>Search</button></form>
</header><main>
${content}</main></body></html>`;
  const headers = { 'Content-Security-Policy': policy, 'Referrer-Policy': 'no-referrer' };
  return { type: 'html', body, cacheControl, headers };
}

const toHtml = (pages: ReadonlySet<string>, from: string): Marked =>
  new Marked({
    renderer: {
      heading({ tokens, depth, text }) {
        return `<h${depth} id="${anchorOf(text)}">${this.parser.parseInline(tokens)}</h${depth}>\n`;
      },
      link({ href, tokens }) {
        const content = this.parser.parseInline(tokens);
        const target = targetOf(pages, from, href);
        return target === undefined ? content : `<a href="${escape(target)}">${content}</a>`;
      },
    },
  });

/** As GitHub names headings, so that the links of the text lead there. */
export function anchorOf(heading: string): string {
  return heading
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\- _]/gu, '')
    .replaceAll(' ', '-');
}

export function escape(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;');
}

const style = `
:root { color-scheme: light dark; }
body { margin: 0; font: 16px/1.6 system-ui, sans-serif; }
header { display: flex; flex-wrap: wrap; gap: 8px 24px; justify-content: space-between; padding: 12px 16px; color: #fff; background: #1b2733; }
header a { margin-right: 16px; color: #fff; }
input, button { font: inherit; }
main { max-width: 760px; margin: 0 auto; padding: 24px 16px 64px; }
h2 { margin-top: 2.5em; }
pre { padding: 12px; overflow-x: auto; border-radius: 4px; color: #fff; background: #1b2733; font: 13px/1.5 monospace; }
table { display: block; overflow-x: auto; border-collapse: collapse; }
th, td { padding: 6px 10px; border: 1px solid #8888; text-align: left; vertical-align: top; }
.hits p { margin: 0 0 1.5em; }
`;

export const guideStyle: StaticFile = { type: 'css', body: style, cacheControl };
