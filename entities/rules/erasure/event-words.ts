import { isUrl, urlInPlain } from './identity';
import { contact, free } from './stripe-event';

/** An event of more different words than this is found by reading it. */
export const maxEventWords = 1_000;

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
  const words = new Set<string>();
  collect(event, words, false);
  return words.size > maxEventWords ? null : [...words];
}

function collect(value: unknown, words: Set<string>, isOpen: boolean): void {
  if (typeof value === 'string') {
    if (isOpen || mayNameAnywhere(value)) wordsOf(value).forEach((word) => words.add(word));
    return;
  }
  if (typeof value !== 'object' || value === null) return;
  for (const [field, item] of Object.entries(value)) {
    collect(item, words, isOpen || contact.test(field) || free.test(field));
  }
}

/** A single word is no person where an enumeration may stand. */
function mayNameAnywhere(value: string): boolean {
  return isUrl(value) || /[@\s]/.test(value);
}
