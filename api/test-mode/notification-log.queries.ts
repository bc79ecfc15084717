import { mailColumns, type MailRow } from '../../activities/mail/rows';
import { normaliseEmail } from '../../entities/rules/values/email';
import { dateRange } from '../../entities/rules/values/instant';
import type { Scope } from '../../entities/rules/values/mode';
import { newestFirst, readList, type Found, type Window } from '../../entities/database/list';
import { queryOne, type Db } from '../../entities/database/sql';

export const logStatuses = ['suppressed', 'redirected', 'throttled', 'delivered'] as const;
export type LogStatus = (typeof logStatuses)[number];

export interface LogFilter {
  status?: LogStatus;
  from?: string;
  to?: string;
  recipient?: string;
  type?: string;
}

/** A mail of test mode that is through: what the notification log shows. */
export type LogRow = MailRow & {
  recipient: string;
  subject: string;
  status: 'suppressed' | 'redirected' | 'throttled' | 'sent';
};

// "sent" is what the log calls delivered; a mail without a subject was never rendered.
const logged = `workspace_id = $1 AND mode = $2 AND mode = 'test' AND subject IS NOT NULL
  AND status IN ('suppressed', 'redirected', 'throttled', 'sent')`;

/** What test mode kept back or redirected, newest first. Live mode has none. */
export function listNotificationLog(
  db: Db,
  { workspaceId, mode }: Scope,
  filter: LogFilter & Window,
): Promise<Found<LogRow>> {
  const { from, to } = dateRange({ dateFrom: filter.from, dateTo: filter.to });
  const list = {
    columns: mailColumns,
    from: 'mails',
    where: `${logged}
      AND ($3::text IS NULL OR status = $3)
      AND ($4::text IS NULL OR recipient = $4)
      AND ($5::text IS NULL OR type = $5)
      AND ($6::timestamptz IS NULL OR created_at >= $6)
      AND ($7::timestamptz IS NULL OR created_at < $7)`,
    params: [
      workspaceId,
      mode,
      filter.status === 'delivered' ? 'sent' : (filter.status ?? null),
      filter.recipient === undefined ? null : normaliseEmail(filter.recipient),
      filter.type ?? null,
      from,
      to,
    ],
    order: newestFirst('mails'),
  };
  return readList(db, list, filter);
}

export async function findLogEntry(
  db: Db,
  { workspaceId, mode }: Scope,
  id: string,
): Promise<LogRow | undefined> {
  return queryOne<LogRow>(db, `SELECT ${mailColumns} FROM mails WHERE ${logged} AND id = $3`, [
    workspaceId,
    mode,
    id,
  ]);
}
