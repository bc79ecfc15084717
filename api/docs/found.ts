import { escape } from './escape';

/** A part of a page under one heading, or an operation of the API. */
export interface Entry {
  href: string;
  /** Where it stands: the page and the heading. */
  title: string;
  text: string;
}

/** Answers a phrase with what was found, as HTML. */
export type Search = (phrase: string) => string;

const mostHits = 20;
const mostWords = 8;

interface Prepared {
  entry: Entry;
  /** Both in lower case. */
  head: string;
  words: string;
}

/** A search by words that all must be there; in a service, and in the browser over written files. */
export function searchOver(entries: readonly Entry[]): Search {
  const prepared = entries.map((entry) => ({
    entry,
    head: entry.title.toLowerCase(),
    words: `${entry.title}\n${entry.text}`.toLowerCase(),
  }));
  return (phrase) => {
    const words = phrase.toLowerCase().split(/\s+/).filter(Boolean).slice(0, mostWords);
    const hits = words.length === 0 ? [] : found(prepared, words);
    const list = hits.map((entry) => shown(entry, words)).join('\n');
    const none = words.length === 0 ? 'Type some words.' : 'Nothing has all of these words.';
    return list || `<p>${none}</p>`;
  };
}

function found(prepared: readonly Prepared[], words: readonly string[]): Entry[] {
  return prepared
    .filter((one) => words.every((word) => one.words.includes(word)))
    .map(({ entry, head }) => ({
      entry,
      score: words.filter((word) => head.includes(word)).length,
    }))
    .sort((a, b) => b.score - a.score)
    .slice(0, mostHits)
    .map(({ entry }) => entry);
}

/** The line that has most of the words stands for the whole. */
function shown({ href, title, text }: Entry, words: readonly string[]): string {
  const lines = text.split('\n').filter((line) => line.trim() !== '' && !line.startsWith('```'));
  const countIn = (line: string) =>
    words.filter((word) => line.toLowerCase().includes(word)).length;
  const best = lines.reduce((a, b) => (countIn(b) > countIn(a) ? b : a), '');
  return `<h3><a href="${escape(href)}">${escape(title)}</a></h3><p>${escape(best.slice(0, 240))}</p>`;
}
