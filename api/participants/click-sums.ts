/**
 * All clicks ever recorded, by the sums of months and what is not folded into them yet: raw clicks
 * are dropped after CLICK_RETENTION_MONTHS. For statements that read `unfolded_clicks`.
 */
export const clicksOfParticipant = (id: string): string => clicksOf('participant_id', id);
/** The index by link holds no rows without one, and has to be told so. */
export const clicksOfLink = (id: string): string =>
  clicksOf('link_id', id, `AND r.link_id <> '${noLink}'`);

const noLink = '00000000-0000-0000-0000-000000000000';

function clicksOf(column: 'participant_id' | 'link_id', id: string, also = ''): string {
  return `(
    (SELECT coalesce(sum(r.value), 0) FROM analytics_rollups AS r
      WHERE r.${column} = ${id} AND r.measure = 'clicks' AND r.minutes = 43200 ${also})
    + (SELECT coalesce(sum(u.value), 0) FROM unfolded_clicks AS u WHERE u.${column} = ${id}))::bigint`;
}

/** The part of a WITH that reads what the sums of these programmes lack, once. */
export const unfoldedClicks = (programs: string): string => `unfolded_clicks AS MATERIALIZED (
  SELECT participant_id, link_id, sum(value) AS value FROM analytics_unfolded(${programs})
   WHERE measure = 'clicks' GROUP BY participant_id, link_id)`;
