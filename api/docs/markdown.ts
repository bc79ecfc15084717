import { Marked, type Token, type Tokens } from 'marked';
import { escape } from './escape';
import { targetOf, type DocsPage, type Place } from './pages';

/** A page of the repository as HTML, with its links as they lead at that place. */
export function toHtml(pages: readonly DocsPage[], page: DocsPage, { pageEnd }: Place): string {
  let groups = 0;
  const marked = new Marked({
    hooks: { processAllTokens: withTabs },
    extensions: [
      {
        name: 'tabs',
        renderer(token) {
          groups += 1;
          return tabsHtml(`tabs-${groups}`, (token as unknown as Tabs).tabs, (code) =>
            this.parser.parse([code]),
          );
        },
      },
    ],
    renderer: {
      heading({ tokens, depth, text }) {
        return `<h${depth} id="${anchorOf(text)}">${this.parser.parseInline(tokens)}</h${depth}>\n`;
      },
      link({ href, tokens, text }) {
        const content = this.parser.parseInline(tokens);
        // A bare address stands for one, such as a default of a setting.
        if (text === href) return content;
        const target = targetOf({ pages, from: page, end: pageEnd }, href);
        return target === undefined ? content : `<a href="${escape(target)}">${content}</a>`;
      },
    },
  });
  return marked.parse(page.text, { async: false });
}

/** The anchor that GitHub gives a heading, so that the links between pages work here as there. */
export function anchorOf(heading: string): string {
  return heading
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\- _]/gu, '')
    .replaceAll(' ', '-');
}

interface Tab {
  label: string;
  code: Tokens.Code;
}
interface Tabs {
  type: 'tabs';
  raw: string;
  tabs: Tab[];
}

/** A line such as "Python:", with nothing else in its paragraph. */
const labelOf = (token: Token | undefined): string | undefined =>
  token?.type === 'paragraph' ? /^([^\n]{1,30}):$/.exec(token.raw.trim())?.[1] : undefined;

/** Two or more examples in a row, each below a line with its language, are one with tabs. */
function withTabs(all: Token[]): Token[] {
  const tokens = all.filter(({ type }) => type !== 'space');
  const result: Token[] = [];
  for (let at = 0; at < tokens.length; at += 1) {
    const tabs = tabsAt(tokens, at);
    const token = tokens[at];
    if (tabs.length < 2) {
      if (token) result.push(token);
      continue;
    }
    const group: Tabs = { type: 'tabs', raw: tabs.map(({ code }) => code.raw).join('\n'), tabs };
    result.push(group as unknown as Token);
    at += tabs.length * 2 - 1;
  }
  return result;
}

function tabsAt(tokens: readonly Token[], start: number): Tab[] {
  const tabs: Tab[] = [];
  for (let at = start; ; at += 2) {
    const label = labelOf(tokens[at]);
    const code = tokens[at + 1];
    if (label === undefined || code?.type !== 'code') return tabs;
    tabs.push({ label, code: code as Tokens.Code });
  }
}

function tabsHtml(id: string, tabs: readonly Tab[], html: (code: Tokens.Code) => string): string {
  const choices = tabs.map(
    ({ label }, nth) =>
      `<input type="radio" name="${id}" id="${id}-${nth}"${nth === 0 ? ' checked' : ''}><label for="${id}-${nth}">${escape(label)}</label>`,
  );
  const examples = tabs.map(({ code }) => html(code));
  return `<div class="tabs">${choices.join('\n')}\n${examples.join('')}</div>\n`;
}
