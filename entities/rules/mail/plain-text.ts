const controls = /[\p{Cc}\u2028\u2029]+/gu;
/** Marks that are not seen, but turn text round or hide what stands between letters. */
const unseen = /[\u00ad\u061c\u180e\u200b\u200e\u200f\u202a-\u202e\u2060-\u2069\ufeff]/g;
/** The full stops and signs that browsers read as `.`, `@`, `:` and `/` in an address. */
const lookalikes: Record<string, string> = {
  '\u3002': '.',
  '\uff0e': '.',
  '\uff61': '.',
  '\u2024': '.',
  '\ufe52': '.',
  '\uff20': '@',
  '\ufe6b': '@',
  '\uff1a': ':',
  '\uff0f': '/',
};
const lookalike = new RegExp(`[${Object.keys(lookalikes).join('')}]`, 'g');

/** The sign of a dot that stays: a private character that no text of ours holds. */
const inner = '\ue000';

/** Text on one line, cut at a length: what a header may hold. */
export function oneLine(text: string, max: number): string {
  const line = text.replace(controls, ' ').trim();
  const characters = Array.from(line);
  return characters.length > max ? `${characters.slice(0, max - 1).join('')}…` : line;
}

/**
 * A name that another person typed, as a mail may show it: on one line, and with nothing that a mail
 * program makes a link of, so that the service carries no stranger's address to a third person.
 */
export function plainName(text: string): string {
  const line = withoutLinks(text.replace(controls, ' ')).replace(/\s+/gu, ' ');
  return oneLine(line, 100);
}

/**
 * The same for a reader who proved the address: a dot inside of a word stays, between word joiners,
 * which nobody sees and which no mail program takes for part of an address (`Cal.com`, `J.P. Morgan`).
 */
export function dottedName(text: string): string {
  const kept = text
    .replace(unseen, '')
    .replace(/\bwww\.+/gi, ' ')
    .replace(/(?<=[\p{L}\p{N}])\.(?=\p{L})/gu, inner);
  return plainName(kept).replaceAll(inner, '\u2060.\u2060');
}

/** The same for longer text, such as a reason: lines and length stay. */
export function withoutLinks(text: string): string {
  return (
    text
      .replace(unseen, '')
      .replace(lookalike, (sign) => lookalikes[sign] ?? sign)
      .replace(/:\s*\/+|\/{2,}/g, ' ')
      .replace(/www\.+|\bwww\b/gi, ' ')
      .replace(/@/g, ' ')
      // A dot in front of a letter may be a domain's; one behind a word ends a sentence. Dots are gone
      // through once, however many there are.
      .replace(/(?<=[^\s.])\.+(?=\p{L})|(?<=(?<!\S)\.)\.+(?=\p{L})/gu, ' ')
      .replace(/\d{1,3}(?:\.\d{1,3}){3}/g, (address) => address.replaceAll('.', ' '))
      // mailto:x, tel:x and the like, but not 10:30 or "note: text".
      .replace(/(?<=\p{L}):(?=\S)/gu, ' ')
  );
}
