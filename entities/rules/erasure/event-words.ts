import { isUrl, urlInPlain } from './identity';
import { contact, free } from './stripe-event';

/** An event of more different words than this is found by reading it. */
export const maxEventWords = 1_000;

/** The characters of texts that are searched for words; an event of more is found by reading it, too. */
const mostText = 100_000;

/**
 * The words of a text, once each: whatever text stands in it between other characters than letters
 * and digits, all of that text's words are among them. Characters beyond the basic plane are none,
 * as where texts are compared.
 */
export function wordsOf(text: string): string[] {
  const plain = (isUrl(text) ? urlInPlain(text) : text)
    .toLowerCase()
    .replace(/[\ud800-\udfff]/g, ' ');
  return [...new Set(plain.match(/[\p{L}\p{N}]+/gu))];
}

/**
 * Words of a raw event by which it is known whether a person may be in it: those of contact data, of
 * free texts, of addresses on the web, and of values with a space or an @. Null when there are too
 * many to keep.
 */
export function wordsOfEvent(event: unknown): string[] | null {
  const found = { words: new Set<string>(), textLeft: mostText };
  return collect(event, found, false) ? [...found.words] : null;
}

interface Found {
  words: Set<string>;
  textLeft: number;
}

/** False, and at once, when there are too many: an event of a megabyte is one request of many. */
function collect(value: unknown, found: Found, isOpen: boolean): boolean {
  if (typeof value === 'string') {
    return (!isOpen && !mayNameAnywhere(value)) || collectText(value, found);
  }
  if (typeof value !== 'object' || value === null) return true;
  if (Array.isArray(value)) return value.every((item) => collect(item, found, isOpen));
  return Object.entries(value).every(([field, item]) =>
    collect(item, found, isOpen || contact.test(field) || free.test(field)),
  );
}

function collectText(text: string, found: Found): boolean {
  found.textLeft -= text.length;
  if (found.textLeft < 0) return false;
  for (const word of wordsOf(text)) found.words.add(word);
  return found.words.size <= maxEventWords;
}

/** A single word is no person where an enumeration may stand. */
function mayNameAnywhere(value: string): boolean {
  return isUrl(value) || /[@\s]/.test(value);
}
