import type { Scope } from '../../entities/rules/values/mode';
import { countFrom, query, type Db } from '../../entities/database/sql';
import { pageWindow, type PageQuery } from '../http/pagination';
import type { ReceiptRow } from './erasure.dto';

/** Receipts of the workspace and mode, newest first. */
export async function listReceipts(
  db: Db,
  { workspaceId, mode }: Scope,
  page: PageQuery,
): Promise<{ rows: ReceiptRow[]; total: number }> {
  const { limit, offset } = pageWindow(page);
  const from = 'erasure_receipts WHERE workspace_id = $1 AND mode = $2';
  const rows = await query<ReceiptRow>(
    db,
    `SELECT id, kind, program_id AS "programId", participant_id AS "participantId",
            erased_at AS "erasedAt", completed_at AS "completedAt", changes
       FROM ${from} ORDER BY erased_at DESC, id DESC LIMIT $3 OFFSET $4`,
    [workspaceId, mode, limit, offset],
  );
  return { rows, total: await countFrom(db, from, [workspaceId, mode]) };
}
