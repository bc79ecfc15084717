import { selectList } from '../../entities/database/columns';
import { PartnerInvite } from '../../entities/tables/partners/partner-invite.entity';
import { countFrom, query, type Db } from '../../entities/database/sql';
import { pageWindow } from '../http/contract/pagination';

/** The invites of a programme that were not deleted or erased, newest first. */
export async function listInvites(
  db: Db,
  programId: string,
  page: { page: number; limit: number },
): Promise<{ rows: PartnerInvite[]; total: number }> {
  const { limit, offset } = pageWindow(page);
  const from = `partner_invites AS i
    WHERE i.program_id = $1 AND i.status IN ('pending', 'accepted')`;
  const rows = await query<PartnerInvite>(
    db,
    `SELECT ${selectList(PartnerInvite, 'i')} FROM ${from}
      ORDER BY i.created_at DESC, i.id DESC LIMIT $2 OFFSET $3`,
    [programId, limit, offset],
  );
  const total = await countFrom(db, from, [programId]);
  return { rows, total };
}
