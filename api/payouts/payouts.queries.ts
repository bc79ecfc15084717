import { isCarried } from '../../activities/commissions/carried';
import { withItems, type PayoutRecord } from '../../activities/payouts/records';
import { selectList } from '../../entities/database/columns';
import { PayoutItem } from '../../entities/tables/payouts/payout-item.entity';
import { Participant } from '../../entities/tables/partners/participant.entity';
import { Payout } from '../../entities/tables/payouts/payout.entity';
import type { Mode, Scope } from '../../entities/rules/values/mode';
import { newestFirst, readList, type Found, type Window } from '../../entities/database/list';
import { literalPattern, query, type Db } from '../../entities/database/sql';
import type { BalanceDto, PartnerPayoutRow, PayoutListQuery } from './payouts.dto';

/** Payouts with their items, newest first. */
export async function listPayouts(
  db: Db,
  scope: Scope,
  filter: PayoutListQuery,
): Promise<Found<PayoutRecord>> {
  const list = {
    columns: selectList(Payout, 'o'),
    from: 'payouts AS o',
    where: `o.workspace_id = $1 AND o.mode = $2
      AND ($3::uuid IS NULL OR o.program_id = $3) AND ($4::text IS NULL OR o.status = $4)`,
    params: [scope.workspaceId, scope.mode, filter.programId ?? null, filter.status ?? null],
    order: newestFirst('o'),
  };
  const { rows, ...found } = await readList<Payout>(db, list, filter);
  return { rows: await withItems(db, rows), ...found };
}

/**
 * The participations of a partner account in the current mode, those too that a merchant erased: what
 * they earned stays the partner's. With `search`, by name.
 */
export function participationsOf(
  db: Db,
  partner: { partnerId: string; mode: Mode; search?: string },
): Promise<Pick<Participant, 'id' | 'programId'>[]> {
  return query(
    db,
    `SELECT ${selectList(Participant, 'p', ['id', 'programId'])}
       FROM participants AS p JOIN programs AS g ON g.id = p.program_id
      WHERE p.partner_id = $1 AND p.mode = $2
        AND ($3::text IS NULL OR p.partner_name ILIKE $3 OR g.name ILIKE $3)
      ORDER BY p.program_id`,
    [partner.partnerId, partner.mode, partner.search ? literalPattern(partner.search) : null],
  );
}

/** What payouts bring the partner, newest first. */
export function listPartnerPayouts(
  db: Db,
  participantIds: readonly string[],
  page: Window,
): Promise<Found<PartnerPayoutRow>> {
  const list = {
    columns: `${selectList(Payout, 'o', ['id', 'programId', 'createdAt'])},
      ${selectList(PayoutItem, 'i', ['amountCents', 'currency', 'status', 'paidAt', 'reason', 'claimUntil'])}`,
    from: 'payout_items AS i JOIN payouts AS o ON o.id = i.payout_id',
    where: 'i.participant_id = ANY($1)',
    params: [participantIds],
    order: { by: ['o.created_at', 'o.id', 'i.id'], direction: 'DESC' },
  } as const;
  return readList(db, list, page);
}

/**
 * What participants are owed, by currency. `owed_cents` is the sum of a commission's ledger, of
 * which running payouts have reserved a part. Debts count by participant: another programme's
 * commissions do not pay them.
 */
export function balancesOf(db: Db, participantIds: readonly string[]): Promise<BalanceDto[]> {
  return query<BalanceDto>(
    db,
    `WITH own AS (
       SELECT c.participant_id, c.currency,
              sum(c.owed_cents - c.reserved_cents) FILTER (WHERE c.status = 'pending'
                AND NOT ('DISPUTED' = ANY(c.review_reasons))) AS pending,
              sum(c.owed_cents - c.reserved_cents) FILTER (WHERE c.status = 'approved'
                AND c.payout_id IS NULL AND c.amount_cents >= 0 AND c.adjustment_kind IS NULL
                AND NOT ('DISPUTED' = ANY(c.review_reasons))) AS approved,
              sum(c.owed_cents - c.reserved_cents) FILTER (WHERE ${isCarried}) AS carried,
              0 AS in_payout, 0 AS paid, 0 AS imported, 0 AS elsewhere
         FROM commissions AS c WHERE c.participant_id = ANY($1)
        GROUP BY c.participant_id, c.currency
       UNION ALL
       SELECT i.participant_id, i.currency, 0, 0, 0,
              sum(i.amount_cents) FILTER (WHERE i.status IN ('ready', 'sending')),
              sum(i.amount_cents) FILTER (WHERE i.status = 'paid'), 0, 0
         FROM payout_items AS i
        WHERE i.participant_id = ANY($1)
        GROUP BY i.participant_id, i.currency
       UNION ALL
       SELECT c.participant_id, c.currency, 0, 0, 0, 0, 0,
              sum(e.amount_cents) FILTER (WHERE e.type = 'import'),
              -sum(e.amount_cents) FILTER (WHERE e.type = 'paid_elsewhere')
         FROM commissions AS c JOIN ledger_entries AS e ON e.commission_id = c.id
        WHERE c.participant_id = ANY($1) AND c.commission_type IN ('imported', 'adjustment')
          AND e.type IN ('import', 'paid_elsewhere')
        GROUP BY c.participant_id, c.currency)
     SELECT currency,
            coalesce(sum(pending), 0)::bigint AS "pendingCents",
            coalesce(sum(coalesce(approved, 0) + greatest(coalesce(carried, 0), 0)), 0)::bigint
              AS "approvedCents",
            coalesce(sum(in_payout), 0)::bigint AS "inPayoutCents",
            coalesce(sum(paid), 0)::bigint AS "paidCents",
            coalesce(sum(imported), 0)::bigint AS "importedCents",
            coalesce(sum(elsewhere), 0)::bigint AS "paidElsewhereCents",
            coalesce(sum(greatest(-coalesce(carried, 0), 0)), 0)::bigint AS "debtCents"
       FROM own GROUP BY currency ORDER BY currency`,
    [participantIds],
  );
}
