import type { Mode } from '../../entities/rules/values/mode';
import { countFrom, query } from '../../entities/database/sql';
import type { Db } from '../../entities/database/sql';
import { pageWindow } from '../http/contract/pagination';
import type { PartnerProgramRow } from './partner-programs.dto';

/** The programmes that a partner is in, of one mode and any workspace, latest joined first. */
export async function listPartnerPrograms(
  db: Db,
  partner: { partnerId: string; mode: Mode },
  page: { page: number; limit: number },
): Promise<{ rows: PartnerProgramRow[]; total: number }> {
  const { limit, offset } = pageWindow(page);
  const where = [partner.partnerId, partner.mode];
  const rows = await query<PartnerProgramRow>(
    db,
    `SELECT program.id AS "programId", program.name AS "programName",
            participant.id AS "participantId", participant.status,
            participant.referral_code AS "referralCode",
            (SELECT coalesce(array_agg(code ORDER BY created_at, id), '{}')
               FROM promo_codes WHERE participant_id = participant.id) AS "promoCodes"
       FROM participants participant
       JOIN programs program ON program.id = participant.program_id
      WHERE participant.partner_id = $1 AND participant.mode = $2
        AND participant.erased_at IS NULL
      ORDER BY participant.created_at DESC, participant.id DESC
      LIMIT $3 OFFSET $4`,
    [...where, limit, offset],
  );
  const total = await countFrom(
    db,
    `participants
      WHERE partner_id = $1 AND mode = $2 AND erased_at IS NULL`,
    where,
  );
  return { rows, total };
}
