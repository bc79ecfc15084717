/** What a table has of a word that somebody else chose: `constructor` and its like are in none. */
export function ownOf<T>(table: Readonly<Record<string, T>>, word: string): T | undefined {
  return Object.hasOwn(table, word) ? table[word] : undefined;
}
