import { In } from 'typeorm';
import { PartnerInvite } from '../../entities/tables/partners/partner-invite.entity';
import type { Db } from '../../entities/database/sql';
import { pageWindow } from '../http/contract/pagination';

/** The invites of a programme that were not deleted or erased, newest first. */
export async function listInvites(
  db: Db,
  programId: string,
  page: { page: number; limit: number },
): Promise<{ rows: PartnerInvite[]; total: number }> {
  const { limit, offset } = pageWindow(page);
  const [rows, total] = await db.findAndCount(PartnerInvite, {
    where: { programId, status: In(['pending', 'accepted']) },
    order: { createdAt: 'DESC', id: 'DESC' },
    take: limit,
    skip: offset,
  });
  return { rows, total };
}
