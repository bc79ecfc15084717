import type { StaticFile } from '../http/server/static-file';
import { anchorOf, escape, shell } from './guide';
import type { DocsPage } from './pages';

/** A part of a page under one heading, or an operation of the API. */
interface Entry {
  href: string;
  /** Where it stands: the page and the heading. */
  title: string;
  text: string;
  /** Both in lower case. */
  head: string;
  words: string;
}

interface DocumentView {
  paths: Record<string, Record<string, OperationView>>;
}
interface OperationView {
  operationId: string;
  summary: string;
  description?: string;
  tags: string[];
}

/** Answers a phrase with a page of what was found. */
export type Search = (phrase: string) => StaticFile;

const mostHits = 20;
const mostWords = 8;

/** A search over pages and operations, by words that all must be there. */
export function createSearch(pages: readonly DocsPage[], document: DocumentView): Search {
  const entries = [...pages.flatMap(sectionsOf), ...operationsOf(document)];
  return (phrase) => {
    const words = phrase.toLowerCase().split(/\s+/).filter(Boolean).slice(0, mostWords);
    const hits = words.length === 0 ? [] : found(entries, words);
    const list = hits.map((entry) => shown(entry, words)).join('\n');
    const none = words.length === 0 ? 'Type some words.' : 'Nothing has all of these words.';
    const body = `<h1>Search</h1><div class="hits">${list || `<p>${none}</p>`}</div>`;
    return shell({ from: 'search', title: 'Search', body, phrase });
  };
}

const entryOf = (href: string, title: string, text: string): Entry => ({
  ...{ href, title, text },
  head: title.toLowerCase(),
  words: `${title}\n${text}`.toLowerCase(),
});

/** The parts of a page, each from its heading to the next one outside of code. */
function sectionsOf({ name, title, text }: DocsPage): Entry[] {
  const parts: { heading: string; lines: string[] }[] = [];
  let isCode = false;
  for (const line of text.split('\n')) {
    if (line.startsWith('```')) isCode = !isCode;
    const [, heading] = isCode ? [] : (/^#+ (.*)$/.exec(line) ?? []);
    if (heading === undefined) parts.at(-1)?.lines.push(line);
    else parts.push({ heading, lines: [] });
  }
  return parts.map(({ heading, lines }) => {
    const place = heading === title ? title : `${title}: ${heading}`;
    return entryOf(`${name}#${anchorOf(heading)}`, place.replaceAll('`', ''), lines.join('\n'));
  });
}

function operationsOf({ paths }: DocumentView): Entry[] {
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, { operationId, summary, description = '', tags }]) => {
      const anchor = `#/${encodeURIComponent(tags[0] ?? '')}/${operationId}`;
      const text = `${method.toUpperCase()} ${path}\n${description}`;
      return entryOf(`../docs${anchor}`, `API: ${summary}`, `${text}\n${operationId}`);
    }),
  );
}

function found(entries: readonly Entry[], words: readonly string[]): Entry[] {
  return entries
    .filter((entry) => words.every((word) => entry.words.includes(word)))
    .map((entry) => ({ entry, score: words.filter((word) => entry.head.includes(word)).length }))
    .sort((a, b) => b.score - a.score)
    .slice(0, mostHits)
    .map(({ entry }) => entry);
}

/** The line that has most of the words stands for the whole. */
function shown({ href, title, text }: Entry, words: readonly string[]): string {
  const lines = text.split('\n').filter((line) => line.trim() !== '' && !line.startsWith('```'));
  const countIn = (line: string) =>
    words.filter((word) => line.toLowerCase().includes(word)).length;
  const [best = ''] = lines.toSorted((a, b) => countIn(b) - countIn(a));
  return `<h3><a href="${escape(href)}">${escape(title)}</a></h3><p>${escape(best.slice(0, 240))}</p>`;
}
