import { dateRange } from '../../entities/rules/values/instant';
import { selectList, type Selected, type Selection } from '../../entities/database/columns';
import { newestFirst, readList, type Found, type Window } from '../../entities/database/list';
import type { Db } from '../../entities/database/sql';
import { AuditLogEntry } from '../../entities/tables/journal/audit-log-entry.entity';

const shown = [
  'id',
  'createdAt',
  'actorType',
  'actorId',
  'action',
  'targetType',
  'targetId',
  'details',
  'requestId',
] as const satisfies Selection<AuditLogEntry>;

export type AuditRow = Selected<AuditLogEntry, typeof shown> & { actorEmail: string | null };

export interface AuditFilter extends Window {
  actor?: string;
  action?: string;
  dateFrom?: string;
  dateTo?: string;
}

const columns = `${selectList(AuditLogEntry, 'l', shown)},
  coalesce(nullif(m.email, 'erased@erased.invalid'), p.held_email, p.email) AS "actorEmail"`;

/** A partner whom the workspace had to erase from a programme is an id here, though the account may live on. */
const actors = `
  LEFT JOIN merchant_accounts m ON l.actor_type = 'member' AND m.id = l.actor_id
  LEFT JOIN partner_accounts p ON l.actor_type = 'partner' AND p.id = l.actor_id
    AND NOT EXISTS (SELECT 1 FROM participants erased
      WHERE erased.workspace_id = l.workspace_id AND erased.partner_id = l.actor_id
        AND erased.erased_at IS NOT NULL)`;

/** The audit log of a workspace, newest first; the actor's address is read from the account. */
export function listAuditLog(
  db: Db,
  workspaceId: string,
  filter: AuditFilter,
): Promise<Found<AuditRow>> {
  const { from, to } = dateRange(filter);
  const list = {
    columns,
    from: 'audit_log l',
    joins: actors,
    where: `l.workspace_id = $1
      AND ($2::uuid IS NULL OR l.actor_id = $2)
      AND ($3::text IS NULL OR l.action = $3)
      AND ($4::timestamptz IS NULL OR l.created_at >= $4)
      AND ($5::timestamptz IS NULL OR l.created_at < $5)`,
    params: [workspaceId, filter.actor ?? null, filter.action ?? null, from, to],
    order: newestFirst('l'),
  };
  return readList(db, list, filter);
}
