import { countFrom, query, queryOne, type Db } from '../../entities/database/sql';
import {
  foundIn,
  windowStatement,
  type Found,
  type Placed,
  type Window,
} from '../../entities/database/list';
import { clicksOfLink, unfoldedClicks } from './click-sums';
import type { TrackingLinkRow } from './tracking-links.dto';

const from = `tracking_links link
  JOIN participants participant ON participant.id = link.participant_id
  JOIN programs program ON program.id = link.program_id`;

/**
 * The links that a participant has: those made and not deleted, and the default link, which only
 * counts once the participant was approved.
 */
const present = `link.participant_id = $1 AND link.deleted_at IS NULL
   AND ($2::uuid IS NULL OR link.id = $2)
   AND (NOT link.is_default OR participant.status IN ('approved', 'suspended'))`;

const row = `link.id, link.token, link.name,
  coalesce(link.target_url, program.website_url) AS "targetUrl"`;

/** The sales of all links of a page at once, from an index that holds the link (docs/why/figures-and-lists.md). */
export const salesOfLinks = `sales AS MATERIALIZED (
  SELECT link_id, count(*) AS conversions FROM conversions
   WHERE participant_id = $1 AND attributed GROUP BY link_id)`;

/** A participant's links, the default one first, then the newest. */
export async function listLinks(
  db: Db,
  participantId: string,
  { linkId, ...window }: Window & { linkId?: string },
): Promise<Found<TrackingLinkRow>> {
  const params = [participantId, linkId ?? null];
  const page = windowStatement(
    {
      columns: `${row}, link.is_default AS "isDefault", link.created_at AS "createdAt"`,
      from,
      where: present,
      params,
      order: { by: ['link.is_default', 'link.created_at', 'link.id'], direction: 'DESC' },
    },
    window,
  );
  const rows = await query<Placed<TrackingLinkRow>>(
    db,
    `WITH page AS (${page.text}),
     ${unfoldedClicks('ARRAY(SELECT program_id FROM participants WHERE id = $1)')},
     ${salesOfLinks}
     SELECT page.id, page.token, page.name, page."targetUrl", page.place,
            ${clicksOfLink('page.id')} AS clicks,
            coalesce(sales.conversions, 0)::bigint AS conversions
       FROM page LEFT JOIN sales ON sales.link_id = page.id
      ORDER BY page."isDefault" DESC, page."createdAt" DESC, page.id DESC`,
    page.params,
  );
  const total = await countFrom(db, `${from} WHERE ${present}`, params);
  return foundIn(rows, window, total);
}

/** One link of the participant, as far as its address goes; undefined when it has no such link. */
export async function findLinkTarget(
  db: Db,
  key: { participantId: string; linkId: string },
): Promise<Pick<TrackingLinkRow, 'token' | 'targetUrl'> | undefined> {
  return queryOne(db, `SELECT ${row} FROM ${from} WHERE ${present}`, [
    key.participantId,
    key.linkId,
  ]);
}
