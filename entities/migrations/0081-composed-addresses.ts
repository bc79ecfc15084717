import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Addresses are kept composed (NFC) and asked for so: what was kept in another form before could no
 * longer be signed in with. Where the composed form is another's already, the row stays as it is.
 */
export class ComposedAddresses1700000000081 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    for (const [table, column, among] of kept) {
      await runner.query(composed(table, column, among));
    }
    for (const column of ['partner_email', 'bound_email']) {
      await runner.query(`UPDATE participants SET ${column} = normalize(${column}, NFC)
                           WHERE ${column} IS NOT NFC NORMALIZED`);
    }
  }

  /** It is the same address. */
  down(): Promise<void> {
    return Promise.resolve();
  }
}

/** Table, its column, and what else makes a row unique beside it. */
const kept = [
  ['merchant_accounts', 'email', ''],
  ['partner_accounts', 'email', ''],
  ['member_invites', 'email', 'workspace_id'],
  ['partner_invites', 'email', 'program_id'],
  ['waitlist_signups', 'email', ''],
] as const;

/** The oldest of several rows that become one address has it, closed ones or not. */
function composed(table: string, column: string, among: string): string {
  const group = [...(among ? [among] : []), 'plain'].join(', ');
  return `
    WITH odd AS (
      SELECT id, ${among ? `${among}, ` : ''}normalize(${column}, NFC) AS plain FROM ${table}
       WHERE ${column} IS NOT NFC NORMALIZED),
    first AS (SELECT DISTINCT ON (${group}) * FROM odd ORDER BY ${group}, id)
    UPDATE ${table} AS t SET ${column} = first.plain FROM first
     WHERE t.id = first.id AND NOT EXISTS (
       SELECT 1 FROM ${table} AS o WHERE o.${column} = first.plain
          ${among ? `AND o.${among} = first.${among}` : ''})`;
}
