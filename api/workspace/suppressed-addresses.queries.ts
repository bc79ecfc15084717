import { concernsWorkspace, type SuppressionReason } from '../../activities/mail/suppression';
import { selectList } from '../../entities/database/columns';
import { countFrom, query, type Db } from '../../entities/database/sql';
import { SuppressedAddress } from '../../entities/tables/mail/suppressed-address.entity';
import { pageWindow, type PageQuery } from '../http/contract/pagination';

export interface SuppressedRow {
  id: string;
  email: string;
  reason: SuppressionReason;
  createdAt: Date;
}

const columns = selectList(SuppressedAddress, 's', ['id', 'email', 'reason', 'createdAt']);

/** Suppressed addresses that the workspace deals with, newest first. */
export async function listSuppressed(
  db: Db,
  workspaceId: string,
  { page, now }: { page: PageQuery; now: Date },
): Promise<{ rows: SuppressedRow[]; total: number }> {
  const { limit, offset } = pageWindow(page);
  const rows = await query<SuppressedRow>(
    db,
    `SELECT ${columns} FROM suppressed_addresses s WHERE ${concernsWorkspace}
     ORDER BY s.created_at DESC, s.id DESC LIMIT $3 OFFSET $4`,
    [workspaceId, now, limit, offset],
  );
  const total = await countFrom(db, `suppressed_addresses s WHERE ${concernsWorkspace}`, [
    workspaceId,
    now,
  ]);
  return { rows, total };
}
