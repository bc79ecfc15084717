import { mailColumns, type MailRow } from '../../activities/mail/rows';
import { normaliseEmail } from '../../entities/rules/values/email';
import { dateRange } from '../../entities/rules/values/instant';
import type { Scope } from '../../entities/rules/values/mode';
import { countFrom, query, queryOne, type Db } from '../../entities/database/sql';

export const logStatuses = ['suppressed', 'redirected', 'throttled', 'delivered'] as const;
export type LogStatus = (typeof logStatuses)[number];

export interface LogFilter {
  status?: LogStatus;
  from?: string;
  to?: string;
  recipient?: string;
  type?: string;
  page: number;
  pageSize: number;
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
export async function listNotificationLog(
  db: Db,
  { workspaceId, mode }: Scope,
  filter: LogFilter,
): Promise<{ rows: LogRow[]; total: number }> {
  const { from, to } = dateRange({ dateFrom: filter.from, dateTo: filter.to });
  const where = `${logged}
    AND ($3::text IS NULL OR status = $3)
    AND ($4::text IS NULL OR recipient = $4)
    AND ($5::text IS NULL OR type = $5)
    AND ($6::timestamptz IS NULL OR created_at >= $6)
    AND ($7::timestamptz IS NULL OR created_at < $7)`;
  const params = [
    workspaceId,
    mode,
    filter.status === 'delivered' ? 'sent' : (filter.status ?? null),
    filter.recipient === undefined ? null : normaliseEmail(filter.recipient),
    filter.type ?? null,
    from,
    to,
  ];
  const rows = await query<LogRow>(
    db,
    `SELECT ${mailColumns} FROM mails WHERE ${where}
     ORDER BY created_at DESC, id DESC LIMIT $8 OFFSET $9`,
    [...params, filter.pageSize, (filter.page - 1) * filter.pageSize],
  );
  const total = await countFrom(db, `mails WHERE ${where}`, params);
  return { rows, total };
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
