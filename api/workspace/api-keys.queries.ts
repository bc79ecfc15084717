import { apiKeyColumns, type ApiKeyRecord } from '../../activities/credentials/api-keys';
import { newestFirst, readList, type Found, type Window } from '../../entities/database/list';
import type { Mode } from '../../entities/rules/values/mode';
import type { Db } from '../../entities/database/sql';

interface KeyFilter extends Window {
  mode?: Mode;
  revoked?: boolean;
  apiKeyId?: string;
}

/** A workspace's keys, newest first: of both modes and revoked ones too, where neither is asked for. */
export function listApiKeys(
  db: Db,
  workspaceId: string,
  { mode, revoked, apiKeyId, ...page }: KeyFilter,
): Promise<Found<ApiKeyRecord>> {
  const list = {
    columns: apiKeyColumns,
    from: 'api_keys AS k',
    where: `k.workspace_id = $1 AND ($2::text IS NULL OR k.mode = $2)
      AND ($3::boolean IS NULL OR (k.revoked_at IS NOT NULL) = $3)
      AND ($4::uuid IS NULL OR k.id = $4)`,
    params: [workspaceId, mode ?? null, revoked ?? null, apiKeyId ?? null],
    order: newestFirst('k'),
  };
  return readList(db, list, page);
}
