import { selectList } from '../../entities/database/columns';
import { newestFirst, readList, type Found, type Window } from '../../entities/database/list';
import type { Db } from '../../entities/database/sql';
import { PartnerInvite } from '../../entities/tables/partners/partner-invite.entity';

/** The invites of a programme that were not deleted or erased, newest first. */
export function listInvites(
  db: Db,
  programId: string,
  page: Window,
): Promise<Found<PartnerInvite>> {
  const list = {
    columns: selectList(PartnerInvite, 'i'),
    from: 'partner_invites AS i',
    where: "i.program_id = $1 AND i.status IN ('pending', 'accepted')",
    params: [programId],
    order: newestFirst('i'),
  };
  return readList(db, list, page);
}
