import { type Db, execute, rowsAtOnce, transaction } from '../../entities/database/sql';
import { mailWorkSql } from '../journal/mail-queue';

/**
 * Queues mails again that were given up since an instant, once what was in their way is mended.
 * They count as queued now, so each has a day of attempts; what has lost its point meanwhile (a
 * spent token, an erased person) is dropped when it is rendered. Returns how many.
 */
export async function retryFailedMails(
  db: Db,
  { since, now }: { since: Date; now: Date },
): Promise<number> {
  let queued = 0;
  for (;;) {
    const some = await transaction(db, (tx) =>
      execute(
        tx,
        `WITH again AS (
           UPDATE mails SET status = 'queued', finished_at = NULL, created_at = $2
            WHERE id IN (SELECT id FROM mails WHERE status = 'failed' AND finished_at >= $1
                          ORDER BY finished_at, id LIMIT ${rowsAtOnce} FOR UPDATE SKIP LOCKED)
           RETURNING *)
         ${mailWorkSql('again AS m', '$2')}`,
        [since, now],
      ),
    );
    queued += some;
    if (some < rowsAtOnce) return queued;
  }
}
