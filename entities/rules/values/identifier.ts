/**
 * What somebody pasted, or a program built, as an id or a code: it is compared without what nobody
 * sees at its ends, and texts of programs that had nothing to name are no customer.
 */

/** White space of any kind, zero-width and other format characters, the byte order mark. */
const unseen = /[\p{White_Space}\p{Cf}\u034f]/u;

/** The text without what nobody sees at both ends. The cost is that of the text's length. */
export function withoutUnseenEnds(text: string): string {
  let start = 0;
  let end = text.length;
  while (start < end && unseen.test(text.charAt(start))) start += 1;
  while (end > start && unseen.test(text.charAt(end - 1))) end -= 1;
  return text.slice(start, end);
}

const words = new Set(
  'null undefined none nan n/a guest anonymous unknown 0 -1'.split(' ').concat('[object object]'),
);
/** A template that nobody filled in. */
const unfilled = /^(?:\{\{.*\}\}|\$\{.*\}|%.+%)$/s;

/** Whether an id names nobody: else all who share such a text would be one customer. */
export function namesNobody(customerId: string): boolean {
  const id = withoutUnseenEnds(customerId);
  return id === '' || words.has(id.toLowerCase()) || unfilled.test(id);
}

/** The id of a customer as it is kept and compared; null where it names nobody. */
export function customerIdOf(text: string | null | undefined): string | null {
  if (text === null || text === undefined || namesNobody(text)) return null;
  return withoutUnseenEnds(text);
}

/** Whether a hash stands here in the place of an erased buyer's id. */
export function standsForErased(id: string): boolean {
  return id.startsWith('erased:');
}
