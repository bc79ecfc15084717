import type { Scope } from '../../entities/rules/values/mode';
import { selectList } from '../../entities/database/columns';
import { newestFirst, readList, type Found, type Window } from '../../entities/database/list';
import type { Db } from '../../entities/database/sql';
import { ErasureReceipt } from '../../entities/tables/erasure/erasure-receipt.entity';
import type { ReceiptRow } from './erasure.dto';

const columns = selectList(ErasureReceipt, 'r', [
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
export function listReceipts(
  db: Db,
  { workspaceId, mode }: Scope,
  page: Window,
): Promise<Found<ReceiptRow>> {
  const list = {
    columns,
    from: 'erasure_receipts AS r',
    where: 'r.workspace_id = $1 AND r.mode = $2',
    params: [workspaceId, mode],
    order: newestFirst('r', 'erased_at'),
  };
  return readList(db, list, page);
}
