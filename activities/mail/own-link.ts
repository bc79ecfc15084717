import { queryOne, type Db } from '../../entities/database/sql';
import { referralUrl } from '../../entities/rules/partners/link-target';
import type { MailRow } from './rows';

/** The first link of a partner whose approval this mail tells; undefined when the link no longer works. */
export async function ownLink(db: Db, { type, params }: MailRow): Promise<string | undefined> {
  const { participantId } = params as { participantId?: string };
  if (type !== 'participant.approved' || participantId === undefined) return undefined;
  const link = await queryOne<{ target: string; token: string }>(
    db,
    `SELECT coalesce(l.target_url, g.website_url) AS target, l.token
       FROM tracking_links AS l
       JOIN participants AS p ON p.id = l.participant_id
       JOIN programs AS g ON g.id = p.program_id
      WHERE l.participant_id = $1 AND l.is_default AND l.deleted_at IS NULL
        AND p.status = 'approved' AND p.erased_at IS NULL`,
    [participantId],
  );
  return link && referralUrl(link.target, link.token);
}
