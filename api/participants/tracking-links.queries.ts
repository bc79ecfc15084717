import { countFrom, query, queryOne, type Db } from '../../entities/database/sql';
import { clicksOfLink, unfoldedClicks } from './click-sums';
import { pageWindow } from '../http/contract/pagination';
import type { TrackingLinkRow } from './tracking-links.dto';

/**
 * The links that a participant has: those made and not deleted, and the default link, which only
 * counts once the participant was approved.
 */
const present = `tracking_links link
  JOIN participants participant ON participant.id = link.participant_id
  JOIN programs program ON program.id = link.program_id
 WHERE link.participant_id = $1 AND link.deleted_at IS NULL
   AND (NOT link.is_default OR participant.status IN ('approved', 'suspended'))`;

const row = `link.id, link.token, link.name,
  coalesce(link.target_url, program.website_url) AS "targetUrl"`;

/** Counted for all links of a page at once, from an index that holds the link (docs/decisions/0057). */
export const salesOfLinks = `sales AS MATERIALIZED (
  SELECT link_id, count(*) AS conversions FROM conversions
   WHERE participant_id = $1 AND attributed GROUP BY link_id)`;

/** A page of a participant's links, the default one first, then the newest. */
export async function listLinks(
  db: Db,
  participantId: string,
  page: { page: number; limit: number },
): Promise<{ rows: TrackingLinkRow[]; total: number }> {
  const { limit, offset } = pageWindow(page);
  const rows = await query<TrackingLinkRow>(
    db,
    `WITH page AS (
       SELECT ${row}, link.is_default AS "isDefault", link.created_at AS "createdAt" FROM ${present}
        ORDER BY link.is_default DESC, link.created_at DESC, link.id DESC
        LIMIT $2 OFFSET $3),
     ${unfoldedClicks('ARRAY(SELECT program_id FROM participants WHERE id = $1)')},
     ${salesOfLinks}
     SELECT page.id, page.token, page.name, page."targetUrl",
            ${clicksOfLink('page.id')} AS clicks,
            coalesce(sales.conversions, 0)::bigint AS conversions
       FROM page LEFT JOIN sales ON sales.link_id = page.id
      ORDER BY page."isDefault" DESC, page."createdAt" DESC, page.id DESC`,
    [participantId, limit, offset],
  );
  const total = await countFrom(db, present, [participantId]);
  return { rows, total };
}

/** One link of the participant, as far as its address goes; undefined when it has no such link. */
export async function findLinkTarget(
  db: Db,
  key: { participantId: string; linkId: string },
): Promise<Pick<TrackingLinkRow, 'token' | 'targetUrl'> | undefined> {
  return queryOne(db, `SELECT ${row} FROM ${present} AND link.id = $2`, [
    key.participantId,
    key.linkId,
  ]);
}
