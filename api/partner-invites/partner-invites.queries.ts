import { selectList } from '../../entities/database/columns';
import { newestFirst, readList, type Found, type Window } from '../../entities/database/list';
import type { Db } from '../../entities/database/sql';
import type { InviteStatus } from '../../entities/rules/partners/invite';
import { PartnerInvite } from '../../entities/tables/partners/partner-invite.entity';

interface InviteFilter extends Window {
  programId: string;
  status?: InviteStatus | undefined;
  inviteId?: string;
}

/** The status in SQL, by the rule of `inviteStatus`. */
const shownStatus = `CASE WHEN i.status = 'accepted' THEN 'accepted'
  WHEN i.expires_at > $3 THEN 'pending' ELSE 'expired' END`;

/** The invites of a programme that were not deleted or erased, newest first. */
export function listInvites(
  db: Db,
  now: Date,
  { programId, status, inviteId, ...page }: InviteFilter,
): Promise<Found<PartnerInvite>> {
  const list = {
    columns: selectList(PartnerInvite, 'i'),
    from: 'partner_invites AS i',
    where: `i.program_id = $1 AND i.status IN ('pending', 'accepted')
      AND ($2::text IS NULL OR $2 = ${shownStatus})
      AND ($4::uuid IS NULL OR i.id = $4)`,
    params: [programId, status ?? null, now, inviteId ?? null],
    order: newestFirst('i'),
  };
  return readList(db, list, page);
}
