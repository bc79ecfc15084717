/** The beginning of a text, at most `longest` UTF-16 units, without half a character at the end. */
export function cut(text: string, longest: number): string {
  return text.length > longest ? text.slice(0, longest).replace(/[\ud800-\udbff]$/, '') : text;
}
