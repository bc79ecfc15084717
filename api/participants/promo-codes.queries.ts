import { readList, type Found, type Window } from '../../entities/database/list';
import { queryOne, type Db } from '../../entities/database/sql';
import type { Biller } from '../../entities/rules/billing/biller';
import type { BillerCodeStatus, CodeDiscount } from '../../entities/rules/billing/codes';
import { promoCodeKey } from '../../entities/rules/partners/referral-code';

/** Where a code works, or is to work. */
export interface CodeAtBiller {
  biller: Biller;
  status: BillerCodeStatus;
  externalId: string | null;
  message: string | null;
}

export interface PromoCodeRow {
  code: string;
  discount: CodeDiscount | null;
  createdAt: Date;
  billers: CodeAtBiller[];
}

const columns = `p.code, p.discount, p.created_at AS "createdAt",
  (SELECT coalesce(json_agg(json_build_object('biller', b.biller, 'status', b.status,
            'externalId', b.external_id, 'message', b.message) ORDER BY b.biller), '[]')
     FROM biller_codes AS b WHERE b.promo_code_id = p.id) AS billers`;

/** The promo codes of a participant, oldest first, and where each works. */
export function listPromoCodes(
  db: Db,
  participantId: string,
  page: Window,
): Promise<Found<PromoCodeRow>> {
  const list = {
    columns,
    from: 'promo_codes AS p',
    where: 'p.participant_id = $1',
    params: [participantId],
    order: { by: ['p.created_at', 'p.id'], direction: 'ASC' as const },
  };
  return readList(db, list, page);
}

/** One of them, in any case; undefined when it was taken away meanwhile. */
export function promoCodeOf(
  db: Db,
  participantId: string,
  code: string,
): Promise<PromoCodeRow | undefined> {
  return queryOne<PromoCodeRow>(
    db,
    `SELECT ${columns} FROM promo_codes AS p WHERE p.participant_id = $1 AND p.code = $2`,
    [participantId, promoCodeKey(code)],
  );
}
