import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Marked } from 'marked';
import type { StaticFile } from '../http/server/static-file';

/** Where the guide is served, as a page and as it was written. */
export const guidePath = '/api/docs/integrate';

const cacheControl = 'public, max-age=60';

/** A build has a copy of docs/integrate.md beside this file. */
const sources = [join(__dirname, 'integrate.md'), join(__dirname, '../../docs/integrate.md')];

/** docs/integrate.md with the address of this service in its examples. */
function guideText(serverUrl: string): string {
  const source = sources.find((file) => existsSync(file));
  if (source === undefined) throw new Error('docs/integrate.md is missing');
  return readFileSync(source, 'utf8').replaceAll('https://api.example.com', serverUrl);
}

export function guideMarkdown(serverUrl: string): StaticFile {
  return { type: 'text/markdown', body: withServedLinks(guideText(serverUrl)), cacheControl };
}

const policy =
  "default-src 'none'; style-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/** The guide as a page, which runs no script. */
export function guidePage(serverUrl: string): StaticFile {
  const text = guideText(serverUrl);
  const [, title = ''] = /^# (.*)$/m.exec(text) ?? [];
  const body = `<!doctype html><html lang="en"><head><meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1"><title>${title}</title>
<link rel="stylesheet" href="guide.css"></head><body><main>
${toHtml.parse(text, { async: false })}</main></body></html>`;
  const headers = { 'Content-Security-Policy': policy, 'Referrer-Policy': 'no-referrer' };
  return { type: 'html', body, cacheControl, headers };
}

/** What files of the repository are on this origin. */
const served: Readonly<Record<string, string>> = { 'reference/README.md': '../docs' };

/** Links to other files of the repository lead nowhere here: their words stay. */
function withServedLinks(text: string): string {
  return text.replace(
    /(?<!!)\[([^\]]+)\]\(([^)#\s][^)\s]*)\)/g,
    (link, words: string, href: string) => {
      if (/^https?:/.test(href)) return link;
      const target = served[href];
      return target === undefined ? words : `[${words}](${target})`;
    },
  );
}

const toHtml = new Marked({
  renderer: {
    heading({ tokens, depth, text }) {
      return `<h${depth} id="${anchorOf(text)}">${this.parser.parseInline(tokens)}</h${depth}>\n`;
    },
    link({ href, tokens }) {
      const content = this.parser.parseInline(tokens);
      const target = href.startsWith('#') ? href : served[href];
      return target === undefined ? content : `<a href="${target}">${content}</a>`;
    },
  },
});

/** As GitHub names headings, so that the links of the text lead there. */
function anchorOf(heading: string): string {
  return heading
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\- ]/gu, '')
    .replaceAll(' ', '-');
}

const style = `
:root { color-scheme: light dark; }
body { margin: 0; font: 16px/1.6 system-ui, sans-serif; }
main { max-width: 760px; margin: 0 auto; padding: 24px 16px 64px; }
h2 { margin-top: 2.5em; }
pre { padding: 12px; overflow-x: auto; border-radius: 4px; color: #fff; background: #1b2733; font: 13px/1.5 monospace; }
table { display: block; overflow-x: auto; border-collapse: collapse; }
th, td { padding: 6px 10px; border: 1px solid #8888; text-align: left; vertical-align: top; }
`;

export const guideStyle: StaticFile = { type: 'css', body: style, cacheControl };
