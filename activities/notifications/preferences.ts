import { AppError } from '../../entities/errors';
import type { NotificationCategory } from '../../entities/rules/mail/mail';
import {
  effectivePreferences,
  isProtected,
  type Choice,
  type Preference,
} from '../../entities/rules/notifications/preferences';
import { execute, query, transaction, type Db } from '../../entities/database/sql';
import { announceChange, lockFeed } from './feed-lock';
import type { Reader } from './reader';

type Holder = Pick<Reader, 'side' | 'accountId'>;

/** What an account wants to be notified of, and how: one for each category of its side. */
export async function readPreferences(db: Db, { side, accountId }: Holder): Promise<Preference[]> {
  const choices = await query<Choice>(
    db,
    `SELECT category, in_app AS "inApp", email FROM notification_preferences
      WHERE account_id = $1 AND side = $2`,
    [accountId, side],
  );
  return effectivePreferences(side, choices);
}

export interface PreferenceChange {
  category: NotificationCategory;
  inApp?: boolean | undefined;
  email?: boolean | undefined;
}

/**
 * Changes what is given, all or nothing.
 *
 * @throws AppError PROTECTED_CATEGORY
 */
export async function changePreferences(
  db: Db,
  reader: Reader,
  { changes, now }: { changes: readonly PreferenceChange[]; now: Date },
): Promise<Preference[]> {
  if (changes.some(({ category }) => isProtected(category))) {
    throw new AppError('PROTECTED_CATEGORY');
  }
  return transaction(db, async (tx) => {
    await lockFeed(tx, reader.feedId);
    await execute(
      tx,
      `INSERT INTO notification_preferences AS p (side, account_id, category, in_app, email,
              updated_at)
       SELECT $1, $2, r.category, r."inApp", r.email, $4
         FROM json_to_recordset($3) AS r(category text, "inApp" boolean, email boolean)
        ORDER BY r.category
       ON CONFLICT (account_id, category) DO UPDATE
         SET in_app = coalesce(EXCLUDED.in_app, p.in_app),
             email = coalesce(EXCLUDED.email, p.email), updated_at = EXCLUDED.updated_at`,
      [reader.side, reader.accountId, JSON.stringify(changes), now],
    );
    await announceChange(tx, { feedId: reader.feedId, mode: 'both' }, now);
    return readPreferences(tx, reader);
  });
}
