import type { NotificationCategory } from '../../entities/rules/mail/mail';
import type { NotificationType } from '../../entities/rules/notifications/types';
import { queryOne, type Db } from '../../entities/database/sql';
import { isForReader, readAtOfReader, readerParams, readerRow, type Reader } from './reader';

/** A notification as one of its readers sees it. */
export interface NotificationRecord {
  id: string;
  category: NotificationCategory;
  type: NotificationType;
  title: string;
  body: string;
  data: Record<string, string>;
  readAt: Date | null;
  createdAt: Date;
}

/** Select list for the table under `n` and the reader under `r`. */
export const recordColumns = `n.id, n.category, n.type, n.title, n.body, n.data,
  n.created_at AS "createdAt", ${readAtOfReader} AS "readAt"`;

/** One notification of the reader's feed and mode, a dismissed one too; undefined: none of theirs. */
export async function findNotification(
  db: Db,
  reader: Reader,
  id: string,
): Promise<(NotificationRecord & { isDismissed: boolean }) | undefined> {
  return queryOne(
    db,
    `SELECT ${recordColumns}, n.dismissed_at IS NOT NULL AS "isDismissed"
       FROM notifications AS n, ${readerRow}
      WHERE n.id = $5 AND n.feed_id = r."feedId" AND n.mode IN (r.mode, 'both') AND ${isForReader}`,
    [...readerParams(reader), id],
  );
}
