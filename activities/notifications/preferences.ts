import { AppError } from '../../entities/errors';
import type { NotificationCategory } from '../../entities/rules/mail/mail';
import {
  effectivePreferences,
  isProtected,
  type Choice,
  type Preference,
} from '../../entities/rules/notifications/preferences';
import { insertOf, layOut, parametersOf } from '../../entities/database/bulk-rows';
import { selectList, tableOf } from '../../entities/database/columns';
import { execute, query, transaction, type Db } from '../../entities/database/sql';
import { NotificationPreference } from '../../entities/tables/mail/notification-preference.entity';
import type { Cause } from '../journal/cause';
import { announceChange, lockFeed } from './feed-lock';
import type { Reader, ReaderContext } from './reader';

const choiceColumns = selectList(NotificationPreference, 'p', ['category', 'inApp', 'email']);

type Holder = Pick<Reader, 'side' | 'accountId'>;

/** What an account wants to be notified of, and how: one for each category of its side. */
export async function readPreferences(db: Db, { side, accountId }: Holder): Promise<Preference[]> {
  const choices = await query<Choice>(
    db,
    `SELECT ${choiceColumns} FROM notification_preferences AS p
      WHERE p.account_id = $1 AND p.side = $2`,
    [accountId, side],
  );
  return effectivePreferences(side, choices);
}

const sets = layOut({ choices: tableOf(NotificationPreference) });
const upsert = `${insertOf(sets.choices, 'true', 'ORDER BY r.category')}
  ON CONFLICT (account_id, category) DO UPDATE
    SET in_app = coalesce(EXCLUDED.in_app, notification_preferences.in_app),
        email = coalesce(EXCLUDED.email, notification_preferences.email),
        updated_at = EXCLUDED.updated_at`;

export interface PreferenceChange {
  category: NotificationCategory;
  inApp?: boolean | undefined;
  email?: boolean | undefined;
}

/** Writes what an account chose; what is not given stays. */
export async function saveChoices(
  db: Db,
  { now }: Pick<Cause, 'now'>,
  { holder, changes }: { holder: Holder; changes: readonly PreferenceChange[] },
): Promise<void> {
  const { side, accountId } = holder;
  const choices = changes.map((change) => ({ side, accountId, ...change, updatedAt: now }));
  await execute(db, upsert, parametersOf(sets, { choices }));
}

/** Changes what is given, all or nothing. PROTECTED_CATEGORY. */
export async function changePreferences(
  db: Db,
  { reader, now }: ReaderContext,
  { changes }: { changes: readonly PreferenceChange[] },
): Promise<Preference[]> {
  if (changes.some(({ category }) => isProtected(category))) {
    throw new AppError('PROTECTED_CATEGORY');
  }
  return transaction(db, async (tx) => {
    await lockFeed(tx, reader.feedId);
    await saveChoices(tx, { now }, { holder: reader, changes });
    await announceChange(tx, { now }, { feedId: reader.feedId, mode: 'both' });
    return readPreferences(tx, reader);
  });
}
