import { execute, query, type Tx } from '../../../entities/database/sql';
import type { SeededPartner } from './partners';
import { dayWeights, portions, startOf, type Random } from './shape';
import { dayMs } from '../../../entities/rules/values/duration';

export interface SeededClick {
  id: string;
  at: Date;
  linkId: string;
  participantId: string;
}

/** Clicks of a history, by days and partners; they are summed afterwards (`analytics_rebuild`). */
export async function seedClicks(
  tx: Tx,
  partners: readonly SeededPartner[],
  { count, end, days, random }: { count: number; end: Date; days: number; random: Random },
): Promise<void> {
  const perDay = portions(count, dayWeights({ end, days }, random));
  const cells = perDay.flatMap((clicks, day) => {
    const active = partners.filter((partner) => startOf(partner, days) <= day);
    const shares = portions(
      clicks,
      active.map(({ weight }) => weight * (0.6 + 0.8 * random())),
    );
    const start = new Date(end.getTime() - (days - day) * dayMs).toISOString();
    return active.map((partner, index) => ({ partner, start, clicks: shares[index] ?? 0 }));
  });
  await query(tx, 'SELECT setseed(0.25)');
  await execute(tx, clicksSql, [
    cells.map(({ partner }) => partner.participant.id),
    cells.map(({ partner }) => partner.linkIds[0]),
    cells.map(({ partner }) => partner.linkIds[1] ?? partner.linkIds[0]),
    cells.map(({ start }) => start),
    cells.map(({ clicks }) => clicks),
    end,
  ]);
}

/** Clicks, more in the evening than at night: the sum of two random numbers leans to its middle. */
const clicksSql = `
  WITH click AS (
    SELECT p.workspace_id, p.mode, p.program_id, cell.participant_id,
           CASE WHEN random() < 0.7 THEN cell.first_link ELSE cell.second_link END AS link_id,
           date_trunc('milliseconds', cell.start
             + (0.25 + 0.75 * (random() + random()) / 2) * interval '1 day') AS at
      FROM unnest($1::uuid[], $2::uuid[], $3::uuid[], $4::timestamptz[], $5::int[])
             AS cell (participant_id, first_link, second_link, start, clicks)
      JOIN participants AS p ON p.id = cell.participant_id
     CROSS JOIN LATERAL generate_series(1, cell.clicks)
  )
  INSERT INTO clicks (id, created_at, workspace_id, mode, program_id, participant_id, link_id,
    visitor_id, creditable, expires_at, url, user_agent, ip_hash, recorded_in)
  SELECT (lpad(to_hex((extract(epoch FROM at) * 1000)::bigint), 12, '0') || '7'
           || substr(md5(random()::text), 1, 3) || '8' || substr(md5(random()::text), 1, 15))::uuid,
         at, workspace_id, mode, program_id, participant_id, link_id, gen_random_uuid(), true,
         at + interval '30 days', NULL,
         'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 Chrome/140.0.0.0 Safari/537.36',
         NULL, NULL
    FROM click WHERE at < $6`;

/** This many of a partner's clicks, spread over the history. */
export function sampleClicks(tx: Tx, participantId: string, count: number): Promise<SeededClick[]> {
  return query<SeededClick>(
    tx,
    `SELECT id, created_at AS at, link_id AS "linkId", participant_id AS "participantId"
       FROM clicks WHERE participant_id = $1 ORDER BY md5(id::text) LIMIT $2`,
    [participantId, count],
  );
}
