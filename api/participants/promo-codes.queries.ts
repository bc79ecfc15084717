import { query, type Db } from '../../entities/database/sql';
import type { CodeDiscount } from '../../entities/rules/billing/codes';
import { promoCodeKey } from '../../entities/rules/partners/referral-code';
import type { CodeAtBillerDto, PromoCodeDto } from './promo-codes.dto';

interface Row {
  code: string;
  discount: CodeDiscount | null;
  createdAt: Date;
  billers: CodeAtBillerDto[];
}

/** The promo codes of a participant, oldest first, and where each works. */
export async function listPromoCodes(db: Db, participantId: string): Promise<PromoCodeDto[]> {
  const rows = await query<Row>(
    db,
    `SELECT p.code, p.discount, p.created_at AS "createdAt",
            (SELECT coalesce(json_agg(json_build_object('biller', b.biller, 'status', b.status,
                      'externalId', b.external_id, 'message', b.message) ORDER BY b.biller), '[]')
               FROM biller_codes AS b WHERE b.promo_code_id = p.id) AS billers
       FROM promo_codes AS p WHERE p.participant_id = $1 ORDER BY p.created_at, p.id`,
    [participantId],
  );
  return rows.map(({ createdAt, ...row }) => ({ ...row, createdAt: createdAt.toISOString() }));
}

/** One of them, in any case; undefined when it was taken away meanwhile. */
export async function promoCodeOf(
  db: Db,
  participantId: string,
  code: string,
): Promise<PromoCodeDto | undefined> {
  const codes = await listPromoCodes(db, participantId);
  return codes.find((one) => one.code === promoCodeKey(code));
}
