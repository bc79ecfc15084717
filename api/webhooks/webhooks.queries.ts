import { AppError } from '../../entities/errors';
import type { Scope } from '../../entities/rules/values/mode';
import { selectList } from '../../entities/database/columns';
import { newestFirst, readList, type Found, type Window } from '../../entities/database/list';
import { queryOne, type Db } from '../../entities/database/sql';
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
export function listWebhooks(
  db: Db,
  { workspaceId, mode }: Scope,
  page: Window,
): Promise<Found<WebhookRow>> {
  const list = {
    columns,
    from: 'webhook_endpoints',
    where: 'workspace_id = $1 AND mode = $2 AND deleted_at IS NULL',
    params: [workspaceId, mode],
    order: newestFirst('webhook_endpoints'),
  };
  return readList(db, list, page);
}
