import { guessing } from '../../entities/rules/accounts/accounts';
import { execute, type Db } from '../../entities/database/sql';

const dayMs = 86_400_000;
const batch = 5_000;

export interface Purge {
  table: string;
  where: string;
  /**
   * Rows past this age are of no use to anybody, in milliseconds; 0 = since the time in `where`.
   */
  age: number;
}

/**
 * What the service forgets of accounts and mail, and when (docs/reference/accounts.md, How long
 * things last).
 */
export const accountPurges: readonly Purge[] = [
  { table: 'login_failures', where: 'failed_at < $1', age: guessing.window },
  { table: 'account_addresses', where: 'last_seen_at < $1', age: guessing.knownAddress },
  { table: 'email_tokens', where: 'expires_at < $1', age: dayMs },
  // An ended session refuses its tokens all the same; ended ones are kept a day for whoever looks.
  { table: 'sessions', where: 'expires_at < $1 OR revoked_at < $1', age: dayMs },
  { table: 'refresh_tokens', where: 'expires_at < $1', age: 0 },
  { table: 'mails', where: `created_at < $1 AND status <> 'queued'`, age: 90 * dayMs },
  { table: 'mail_digests', where: 'closed_at < $1', age: 90 * dayMs },
  // The longest window that mails are counted in is a day.
  { table: 'mail_counts', where: 'counted_at < $1', age: dayMs },
  { table: 'email_provider_events', where: 'received_at < $1', age: 90 * dayMs },
];

/** Deletes one batch; 0 when nothing is left. */
export function purgeAccountTable(
  db: Db,
  { table, where, age }: Purge,
  now: Date,
): Promise<number> {
  return execute(
    db,
    `DELETE FROM ${table} WHERE ctid IN (SELECT ctid FROM ${table} WHERE ${where} LIMIT ${batch})`,
    [new Date(now.getTime() - age)],
  );
}

/** Deletes one batch of each; 0 when nothing is left. */
export async function purgeAccountTraces(db: Db, now: Date): Promise<number> {
  let deleted = 0;
  for (const purge of accountPurges) deleted += await purgeAccountTable(db, purge, now);
  return deleted;
}
