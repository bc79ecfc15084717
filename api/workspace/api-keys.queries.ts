import { apiKeyColumns, type ApiKeyRecord } from '../../activities/credentials/api-keys';
import { newestFirst, readList, type Found, type Window } from '../../entities/database/list';
import type { Db } from '../../entities/database/sql';

/** A workspace's keys of both modes, newest first, revoked ones included. */
export function listApiKeys(
  db: Db,
  workspaceId: string,
  page: Window,
): Promise<Found<ApiKeyRecord>> {
  const list = {
    columns: apiKeyColumns,
    from: 'api_keys AS k',
    where: 'k.workspace_id = $1',
    params: [workspaceId],
    order: newestFirst('k'),
  };
  return readList(db, list, page);
}
