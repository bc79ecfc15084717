import { dateRange } from '../../entities/rules/values/instant';
import { selectList, type Selected, type Selection } from '../../entities/database/columns';
import { countFrom, query, type Db } from '../../entities/database/sql';
import { AuditLogEntry } from '../../entities/tables/journal/audit-log-entry.entity';
import { pageWindow, type PageQuery } from '../http/contract/pagination';

const shown = [
  'id',
  'createdAt',
  'actorType',
  'actorId',
  'action',
  'targetType',
  'targetId',
  'requestId',
] as const satisfies Selection<AuditLogEntry>;

export type AuditRow = Selected<AuditLogEntry, typeof shown> & { actorEmail: string | null };

export interface AuditFilter extends PageQuery {
  actor?: string;
  action?: string;
  dateFrom?: string;
  dateTo?: string;
}

/**
 * The audit log of a workspace, newest first; the actor's address is read from the account. A partner
 * whom the workspace had to erase from a programme is an id here, though the account may live on.
 */
export async function listAuditLog(
  db: Db,
  workspaceId: string,
  filter: AuditFilter,
): Promise<{ rows: AuditRow[]; total: number }> {
  const where = `l.workspace_id = $1
    AND ($2::uuid IS NULL OR l.actor_id = $2)
    AND ($3::text IS NULL OR l.action = $3)
    AND ($4::timestamptz IS NULL OR l.created_at >= $4)
    AND ($5::timestamptz IS NULL OR l.created_at < $5)`;
  const { from, to } = dateRange(filter);
  const params = [workspaceId, filter.actor ?? null, filter.action ?? null, from, to];
  const { limit, offset } = pageWindow(filter);
  const rows = await query<AuditRow>(
    db,
    `SELECT ${selectList(AuditLogEntry, 'l', shown)}, coalesce(nullif(m.email, 'erased@erased.invalid'), p.email) AS "actorEmail"
     FROM audit_log l
     LEFT JOIN merchant_accounts m ON l.actor_type = 'member' AND m.id = l.actor_id
     LEFT JOIN partner_accounts p ON l.actor_type = 'partner' AND p.id = l.actor_id
       AND NOT EXISTS (SELECT 1 FROM participants erased
         WHERE erased.workspace_id = l.workspace_id AND erased.partner_id = l.actor_id
           AND erased.erased_at IS NOT NULL)
     WHERE ${where}
     ORDER BY l.created_at DESC, l.id DESC LIMIT $6 OFFSET $7`,
    [...params, limit, offset],
  );
  const total = await countFrom(db, `audit_log l WHERE ${where}`, params);
  return { rows, total };
}
