import { selectList } from '../../entities/database/columns';
import { queryOne, type Db } from '../../entities/database/sql';
import { Notification } from '../../entities/tables/notifications/notification.entity';
import {
  isCounted,
  isForReader,
  readAtOfReader,
  readerParams,
  readerRow,
  type Reader,
} from './reader';

const shown = ['id', 'category', 'type', 'title', 'body', 'data', 'createdAt'] as const;

/** A notification as one of its readers sees it. */
export type NotificationRecord = Pick<Notification, (typeof shown)[number]> & {
  readAt: Date | null;
};

/** Select list for the table under `n` and the reader under `r`. */
export const notificationColumns = `${selectList(Notification, 'n', shown)}, ${readAtOfReader} AS "readAt"`;

/** A notification as it is found by its id; `mode` is the row's own, so security notices are of both. */
export interface FoundNotification extends NotificationRecord {
  isDismissed: boolean;
  mode: Notification['mode'];
  isCounted: boolean;
}

/** One notification of the reader's feed and mode, a dismissed one too; undefined: none of theirs. */
export async function findNotification(
  db: Db,
  reader: Reader,
  id: string,
): Promise<FoundNotification | undefined> {
  return queryOne(
    db,
    `SELECT ${notificationColumns}, n.dismissed_at IS NOT NULL AS "isDismissed",
            n.mode, ${isCounted('n')} AS "isCounted"
       FROM notifications AS n, ${readerRow}
      WHERE n.id = $5 AND n.feed_id = r."feedId" AND n.mode IN (r.mode, 'both') AND ${isForReader}`,
    [...readerParams(reader), id],
  );
}
