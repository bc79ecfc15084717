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

/** Receipts of the workspace and mode, newest first; of one participant, where one is named. */
export function listReceipts(
  db: Db,
  { workspaceId, mode }: Scope,
  { participantId, ...page }: Window & { participantId?: string },
): Promise<Found<ReceiptRow>> {
  const list = {
    columns,
    from: 'erasure_receipts AS r',
    where: `r.workspace_id = $1 AND r.mode = $2
      AND ($3::uuid IS NULL OR r.participant_id = $3)`,
    params: [workspaceId, mode, participantId ?? null],
    order: newestFirst('r', 'erased_at'),
  };
  return readList(db, list, page);
}
