import { AppError } from '../../entities/errors';
import type { Scope } from '../../entities/rules/values/mode';
import { selectList } from '../../entities/database/columns';
import { countFrom, query, queryOne, type Db } from '../../entities/database/sql';
import { pageWindow } from '../http/contract/pagination';
import { WebhookEndpoint } from '../../entities/tables/webhooks/webhook-endpoint.entity';
import { webhookColumns, type WebhookRow } from './webhooks.dto';

const columns = `active_since IS NOT NULL AS active, ${selectList(WebhookEndpoint, 'webhook_endpoints', webhookColumns)}`;

/** The endpoint, or WEBHOOK_NOT_FOUND. */
export async function getWebhook(db: Db, scope: Scope, id: string): Promise<WebhookRow> {
  const row = await queryOne<WebhookRow>(
    db,
    `SELECT ${columns} FROM webhook_endpoints
      WHERE id = $1 AND workspace_id = $2 AND mode = $3 AND deleted_at IS NULL`,
    [id, scope.workspaceId, scope.mode],
  );
  if (!row) throw new AppError('WEBHOOK_NOT_FOUND');
  return row;
}

/** The endpoints of a workspace and mode, newest first. */
export async function listWebhooks(
  db: Db,
  scope: Scope,
  page: { page: number; limit: number },
): Promise<{ rows: WebhookRow[]; total: number }> {
  const { limit, offset } = pageWindow(page);
  const own = `workspace_id = $1 AND mode = $2 AND deleted_at IS NULL`;
  const params = [scope.workspaceId, scope.mode];
  const rows = await query<WebhookRow>(
    db,
    `SELECT ${columns} FROM webhook_endpoints WHERE ${own}
      ORDER BY created_at DESC, id DESC LIMIT $3 OFFSET $4`,
    [...params, limit, offset],
  );
  const total = await countFrom(db, `webhook_endpoints WHERE ${own}`, params);
  return { rows, total };
}
