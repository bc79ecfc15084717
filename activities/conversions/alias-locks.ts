/**
 * The key of the advisory lock on an id of a payment, as SQL. Whoever writes an alias of a conversion
 * holds it until the commit, so that others can ask for it and need not wait for the unique index.
 */
export function aliasLockKey(workspaceId: string, mode: string, alias: string): string {
  return `hashtextextended(concat_ws(':', 'payment', ${workspaceId}, ${mode}, ${alias}), 0)`;
}
