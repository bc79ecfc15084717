import type { Scope } from '../../entities/rules/values/mode';
import { selectList } from '../../entities/database/columns';
import { countFrom, query, type Db } from '../../entities/database/sql';
import { ErasureReceipt } from '../../entities/tables/erasure/erasure-receipt.entity';
import { pageWindow, type PageQuery } from '../http/contract/pagination';
import type { ReceiptRow } from './erasure.dto';

const columns = selectList(ErasureReceipt, 'erasure_receipts', [
  'id',
  'kind',
  'programId',
  'participantId',
  'erasedAt',
  'completedAt',
  'changes',
  'openBalances',
]);

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
    `SELECT ${columns} FROM ${from} ORDER BY erased_at DESC, id DESC LIMIT $3 OFFSET $4`,
    [workspaceId, mode, limit, offset],
  );
  return { rows, total: await countFrom(db, from, [workspaceId, mode]) };
}
