/** At most so many UTF-16 units of a text, without half a character at the end. */
export function cut(text: string, longest: number): string {
  return text.length > longest ? text.slice(0, longest).replace(/[\ud800-\udbff]$/, '') : text;
}
