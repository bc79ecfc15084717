import { query, queryOne, type Db } from '../../entities/database/sql';
import type { Mode } from '../../entities/rules/values/mode';
import { instant } from './export.queries';

/** How many of the latest are given of a list that has no bound of its own. */
export const latestRows = 5_000;

/** What is kept of a partner's account beside its participations. */
const lists = {
  sessions: `SELECT user_agent AS "userAgent", ${instant('created_at')} AS "createdAt",
      ${instant('last_used_at')} AS "lastUsedAt", ${instant('revoked_at')} AS "endedAt"
    FROM sessions WHERE side = 'partner' AND account_id = $1 ORDER BY created_at DESC, id DESC`,
  preferences: `SELECT category, in_app AS "inApp", email
    FROM notification_preferences WHERE side = 'partner' AND account_id = $1 ORDER BY category`,
  notices: `SELECT id, mode, type, title, body, ${instant('created_at')} AS "createdAt",
      ${instant('dismissed_at')} AS "dismissedAt"
    FROM notifications WHERE side = 'partner' AND feed_id = $1 ORDER BY seq DESC`,
  mails: `SELECT id, mode, type, subject, status, ${instant('created_at')} AS "createdAt"
    FROM mails WHERE side = 'partner' AND account_id = $1 ORDER BY created_at DESC, id DESC`,
  invites: `SELECT i.id, i.mode, i.email, i.name, i.status, g.name AS "programName",
      ${instant('i.created_at')} AS "createdAt"
    FROM partner_invites AS i LEFT JOIN programs AS g ON g.id = i.program_id
    WHERE i.accepted_by = $1 ORDER BY i.created_at DESC, i.id DESC`,
  networks: `SELECT ip_hash AS "hash", ${instant('last_seen_at')} AS "lastSeenAt"
    FROM account_addresses WHERE side = 'partner' AND account_id = $1
    ORDER BY last_seen_at DESC, ip_hash`,
};

/** What the service keeps of the person themselves; the hashes of networks are keyed. */
export function readAccountRecords(db: Db, partnerId: string): Promise<object | undefined> {
  const columns = Object.entries(lists).map(
    ([name, list]) =>
      `(SELECT coalesce(json_agg(to_json(r)), '[]') FROM (${list} LIMIT ${latestRows}) AS r) AS ${name}`,
  );
  return queryOne<Record<keyof typeof lists, object[]>>(db, `SELECT ${columns.join(', ')}`, [
    partnerId,
  ]);
}

export interface ParticipationRecord {
  id: string;
  mode: Mode;
  programName: string;
  codes: object[];
  fraudFlags: object[];
}

/**
 * The partner's participations by id, each with its referral codes, past ones too, and what the fraud
 * rules said of its sales, refused ones too.
 */
export function readParticipations(db: Db, partnerId: string): Promise<ParticipationRecord[]> {
  return query<ParticipationRecord>(
    db,
    `SELECT p.id, p.mode, g.name AS "programName",
            (SELECT coalesce(json_agg(to_json(r)), '[]') FROM (
               SELECT token AS code, ${instant('created_at')} AS "createdAt",
                      ${instant('retired_at')} AS "retiredAt"
                 FROM referral_tokens WHERE participant_id = p.id AND kind = 'code'
                ORDER BY created_at DESC LIMIT ${latestRows}) AS r) AS codes,
            (SELECT coalesce(json_agg(to_json(r)), '[]') FROM (
               SELECT rule, action, value, threshold, state, note, ${instant('created_at')} AS "createdAt"
                 FROM fraud_flags WHERE participant_id = p.id
                ORDER BY created_at DESC LIMIT ${latestRows}) AS r) AS "fraudFlags"
       FROM participants AS p JOIN programs AS g ON g.id = p.program_id
      WHERE p.partner_id = $1 ORDER BY p.id`,
    [partnerId],
  );
}
