import type { Side } from '../../entities/rules/accounts/accounts';
import type { Mode } from '../../entities/rules/values/mode';
import type { Cause } from '../journal/cause';

/** Whoever reads a feed: a member of the workspace, or the partner. */
export interface Reader {
  side: Side;
  /** The workspace, or the partner. */
  feedId: string;
  accountId: string;
  mode: Mode;
  /** Sees what is for admins and owners. */
  isAdmin: boolean;
}

/** The context of a command on a feed: the reader's own feed and mode are its scope. */
export interface ReaderContext extends Cause {
  reader: Reader;
}

/**
 * SQL condition: the notification `n` is one that the reader `r` may see at all (a row with
 * `accountId` and `isAdmin`).
 */
export const isForReader = `(n.audience = 'everyone' OR (n.audience = 'admins' AND r."isAdmin")
  OR n.member_id = r."accountId")`;

/** SQL expression: when the reader `r` read the notification `n`; null when not yet. */
export const readAtOfReader = `coalesce(
  (SELECT d.read_at FROM notification_reads AS d
    WHERE d.notification_id = n.id AND d.account_id = r."accountId"),
  (SELECT m.read_at FROM notification_read_marks AS m
    WHERE m.account_id = r."accountId" AND m.mode = n.mode AND m.category = n.category
      AND m.through_seq >= n.seq ORDER BY m.through_seq LIMIT 1))`;

/** SQL condition: the reader `r` has not read the notification `n`. */
export const isUnread = isUnreadBy('r."accountId"');

/** The same for any account and any row with id, seq, mode and category. */
export function isUnreadBy(account: string, row = 'n'): string {
  return `(${row}.seq > coalesce((SELECT max(m.through_seq) FROM notification_read_marks AS m
      WHERE m.account_id = ${account} AND m.mode = ${row}.mode AND m.category = ${row}.category), 0)
    AND NOT EXISTS (SELECT 1 FROM notification_reads AS d
      WHERE d.notification_id = ${row}.id AND d.account_id = ${account}))`;
}

/** SQL condition: the reader `r` has not switched the category of this row off in the app. */
export function isShown(row = 'n'): string {
  return `(${row}.category = 'security' OR NOT EXISTS (
    SELECT 1 FROM notification_preferences AS p
     WHERE p.account_id = r."accountId" AND p.category = ${row}.category AND NOT p.in_app))`;
}

/** SQL condition: the notification `n` is a security notice for the reader `r`, not dismissed. */
export const isOpenSecurity = `n.feed_id = r."feedId" AND n.mode = 'both'
  AND n.category = 'security' AND n.dismissed_at IS NULL AND ${isForReader}`;

/**
 * SQL condition: the notification `n` is in the reader's mode for admins and owners only, the reader `r`
 * is one, and it is not dismissed. The counters are those of all members and leave these few out.
 */
export const isOpenForAdmins = `n.feed_id = r."feedId" AND n.mode = r.mode
  AND n.audience = 'admins' AND n.dismissed_at IS NULL AND r."isAdmin"`;

/** SQL condition: the counters of the feed have the notification of this row. */
export function isCounted(row: string): string {
  return `(${row}.mode <> 'both' AND ${row}.audience = 'everyone')`;
}

/** SQL relation `r`: the reader as one row, from parameters $1 to $4. */
export const readerRow = `(SELECT $1::uuid AS "feedId", $2::uuid AS "accountId", $3::text AS mode,
  $4::boolean AS "isAdmin") AS r`;

export function readerParams({ feedId, accountId, mode, isAdmin }: Reader): unknown[] {
  return [feedId, accountId, mode, isAdmin];
}
