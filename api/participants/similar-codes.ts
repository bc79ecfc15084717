/**
 * Codes of other partners of the programme that read like one of the participant's: with O for 0, I or l for 1,
 * another case, or a - more. For a statement that reads `page`, participants; at most twenty.
 */
export const similarCodes = `
  (SELECT coalesce(json_agg(pair), '[]') FROM (
    SELECT own.code, other.code AS "like", who.id AS "participantId",
           who.partner_name AS "partnerName"
      FROM (${codesWhere('participant_id = page.id')}) AS own
     CROSS JOIN LATERAL (
       ${codesWhere('program_id = page."programId"', 'AND code_shape(%) = code_shape(own.code)')}
     ) AS other
      JOIN participants AS who ON who.id = other.participant_id
     WHERE who.id <> page.id AND who.erased_at IS NULL
     ORDER BY own.code, other.code, who.id LIMIT 20) AS pair)`;

/** Promo codes and referral codes, those of before and of old links too. */
function codesWhere(condition: string, also = ''): string {
  const of = (column: string) => `${condition} ${also.replace('%', column)}`;
  return `SELECT code, participant_id FROM promo_codes WHERE ${of('code')}
    UNION SELECT token, participant_id FROM referral_tokens
     WHERE kind <> 'link' AND ${of('token')}`;
}
