import type { Mode } from '../../entities/rules/values/mode';
import { newestFirst, readList, type Found, type Window } from '../../entities/database/list';
import type { Db } from '../../entities/database/sql';
import type { PartnerProgramRow } from './partner-programs.dto';

const columns = `program.id AS "programId", program.name AS "programName",
  participant.id AS "participantId", participant.status,
  participant.referral_code AS "referralCode",
  (SELECT coalesce(array_agg(code ORDER BY created_at, id), '{}')
     FROM promo_codes WHERE participant_id = participant.id) AS "promoCodes",
  (SELECT coalesce(json_agg(json_build_object('code', own.code, 'discount', own.discount, 'billers',
            (SELECT coalesce(json_agg(json_build_object('biller', at.biller, 'status', at.status)
                               ORDER BY at.biller), '[]')
               FROM biller_codes AS at WHERE at.promo_code_id = own.id))
            ORDER BY own.created_at, own.id), '[]')
     FROM promo_codes AS own WHERE own.participant_id = participant.id) AS codes`;

/** The programmes that a partner is in, of one mode and any workspace, latest joined first. */
export function listPartnerPrograms(
  db: Db,
  { partnerId, mode }: { partnerId: string; mode: Mode },
  page: Window,
): Promise<Found<PartnerProgramRow>> {
  const list = {
    columns,
    from: 'participants participant',
    joins: 'JOIN programs program ON program.id = participant.program_id',
    where: `participant.partner_id = $1 AND participant.mode = $2
      AND participant.erased_at IS NULL`,
    params: [partnerId, mode],
    order: newestFirst('participant'),
  };
  return readList(db, list, page);
}
