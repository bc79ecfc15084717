import { apiKeyColumns, type ApiKeyRecord } from '../../activities/credentials/api-keys';
import { countFrom, query, type Db } from '../../entities/database/sql';
import { pageWindow, type PageQuery } from '../http/contract/pagination';

/** A workspace's keys of both modes, newest first, revoked ones included. */
export async function listApiKeys(
  db: Db,
  workspaceId: string,
  page: PageQuery,
): Promise<{ rows: ApiKeyRecord[]; total: number }> {
  const { limit, offset } = pageWindow(page);
  const rows = await query<ApiKeyRecord>(
    db,
    `SELECT ${apiKeyColumns} FROM api_keys AS k WHERE k.workspace_id = $1
     ORDER BY k.created_at DESC, k.id DESC LIMIT $2 OFFSET $3`,
    [workspaceId, limit, offset],
  );
  const total = await countFrom(db, 'api_keys WHERE workspace_id = $1', [workspaceId]);
  return { rows, total };
}
