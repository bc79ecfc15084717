import { methodCounts } from '../../activities/payouts/method-counts';
import { indebtedIn } from '../../activities/payouts/payables';
import { defaultGroupName } from '../../entities/rules/programs/groups';
import { AppError } from '../../entities/errors';
import { safeInteger } from '../../entities/database/connection';
import { selectList } from '../../entities/database/columns';
import { foundIn, windowStatement, type Found, type Placed } from '../../entities/database/list';
import { countFrom, literalPattern, query, queryOne, type Db } from '../../entities/database/sql';
import { Participant } from '../../entities/tables/partners/participant.entity';
import { clicksOfParticipant, unfoldedClicks } from './click-sums';
import type { AmountDto, ParticipantQuery, ParticipantRow } from './participants.dto';
import { similarCodes } from './similar-codes';

const columns = selectList(Participant, 'participant');

/** The way that a payout pins, as `methodsOf` does; without what is encrypted. */
const paidBy = `SELECT CASE
    WHEN a.payout_method_encrypted IS NOT NULL AND ${methodCounts} THEN json_build_object(
      'type', a.payout_method_type, 'label', a.payout_method_label, 'confirmed', true)
    WHEN p.payout_method_encrypted IS NOT NULL THEN json_build_object(
      'type', p.payout_method_type, 'label', p.payout_method_label, 'confirmed', false) END
   FROM participants AS p
   JOIN partner_accounts AS a ON a.id = p.partner_id AND a.erased_at IS NULL
  WHERE p.id = page.id AND p.approved_at IS NOT NULL`;

/**
 * The sums of the rows of one page only, each from an index on the participant that holds what is
 * summed (docs/why/figures-and-lists.md). They are text in the JSON, whose numbers would be rounded
 * as they are read.
 */
const aggregates = `
  (SELECT coalesce(array_agg(code ORDER BY created_at, id), '{}')
     FROM promo_codes WHERE participant_id = page.id) AS "promoCodes",
  coalesce((SELECT name FROM program_groups WHERE id = coalesce(page."groupId", page."programId")),
    '${defaultGroupName}') AS "groupName",
  ${similarCodes} AS "similarCodes",
  ${clicksOfParticipant('page.id')} AS clicks,
  (${paidBy}) AS "paidBy",
  sold.conversions, sold.revenue,
  (SELECT coalesce(json_agg(amounts ORDER BY amounts.currency), '[]')
     FROM (SELECT currency, sum(amount_cents)::text AS "amountCents"
             FROM commissions
            WHERE participant_id = page.id AND status <> 'rejected'
            GROUP BY currency) amounts) AS commissions`;

const sold = `LEFT JOIN LATERAL (
  SELECT coalesce(sum(sales), 0)::bigint AS conversions,
         coalesce(json_agg(json_build_object('currency', currency, 'amountCents', amount)
                           ORDER BY currency) FILTER (WHERE currency IS NOT NULL), '[]') AS revenue
    FROM (SELECT currency, count(*) AS sales,
                 sum(amount_cents - refunded_amount_cents)::text AS amount
            FROM conversions WHERE participant_id = page.id AND attributed
           GROUP BY currency) AS amounts) AS sold ON true`;

/** The end of a WITH that reads `page`, participants, and `unfolded_clicks`. */
export const pageWithTotals = `SELECT page.*, ${aggregates} FROM page ${sold}`;

interface SumText {
  currency: string;
  amountCents: string;
}

type StoredRow = Omit<ParticipantRow, 'revenue' | 'commissions'> &
  Record<'revenue' | 'commissions', SumText[]>;

/** A sum that no number holds exactly is refused. */
function exact({ revenue, commissions, ...row }: StoredRow): ParticipantRow {
  return { ...row, revenue: revenue.map(amountOf), commissions: commissions.map(amountOf) };
}

const amountOf = ({ currency, amountCents }: SumText): AmountDto => ({
  currency,
  amountCents: safeInteger(amountCents),
});

interface Filter {
  where: string;
  params: unknown[];
}

/** The filter has only the conditions that are asked for, so that each can use its index. */
function filterOf(
  programId: string,
  { status, groupId, search, owes, ids }: ParticipantQuery,
): Filter {
  const params: unknown[] = [programId];
  const conditions = ['participant.program_id = $1'];
  if (status) {
    params.push(status);
    conditions.push(`participant.status = $${params.length}`);
  }
  if (groupId) {
    params.push(groupId);
    const own = 'coalesce(participant.group_id, participant.program_id)';
    conditions.push(`${own} = $${params.length}`);
  }
  if (search) {
    params.push(literalPattern(search));
    conditions.push(searchCondition(`$${params.length}`));
  }
  if (ids) {
    params.push(ids.split(','));
    conditions.push(`participant.id = ANY($${params.length}::uuid[])`);
  }
  if (owes !== undefined)
    conditions.push(`participant.id ${owes ? 'IN' : 'NOT IN'} (${indebtedIn('= $1')})`);
  return { where: conditions.join(' AND '), params };
}

/** The sub-select runs once: codes that match are few. */
function searchCondition(pattern: string): string {
  return `(participant.partner_name ILIKE ${pattern} OR participant.partner_email ILIKE ${pattern}
    OR participant.referral_code ILIKE ${pattern}
    OR participant.id = ANY(ARRAY(SELECT participant_id FROM promo_codes
                                   WHERE program_id = $1 AND code ILIKE ${pattern})))`;
}

const sortColumns: Record<ParticipantQuery['sortBy'], string> = {
  createdAt: 'participant.created_at',
  partnerName: 'participant.partner_name',
  status: 'participant.status',
};

/** A programme's participants with their codes and totals, in one statement. AMOUNT_TOO_LARGE. */
export async function listParticipants(
  db: Db,
  programId: string,
  filter: ParticipantQuery,
): Promise<Found<ParticipantRow>> {
  const { sortBy } = filter;
  const direction = filter.sortOrder === 'asc' ? 'ASC' : 'DESC';
  const { where, params } = filterOf(programId, filter);
  const from = 'participants participant';
  const order = { by: [sortColumns[sortBy], 'participant.id'], direction } as const;
  const page = windowStatement({ columns, from, where, params, order }, filter);

  const rows = await query<Placed<StoredRow>>(
    db,
    `WITH ${unfoldedClicks('ARRAY[$1::uuid]')}, page AS (${page.text})
     ${pageWithTotals}
      ORDER BY page."${sortBy}" ${direction}, page.id ${direction}`,
    page.params,
  );
  const total = await countFrom(db, `${from} WHERE ${where}`, params);
  const found = foundIn<StoredRow>(rows, filter, total);
  return { ...found, rows: found.rows.map(exact) };
}

/** One participant with its codes and totals. PARTICIPANT_NOT_FOUND, AMOUNT_TOO_LARGE. */
export async function getParticipantRow(db: Db, participantId: string): Promise<ParticipantRow> {
  const row = await queryOne<StoredRow>(
    db,
    `WITH page AS (SELECT ${columns} FROM participants participant WHERE participant.id = $1),
          ${unfoldedClicks('ARRAY(SELECT page."programId" FROM page)')}
     ${pageWithTotals}`,
    [participantId],
  );
  if (!row) throw new AppError('PARTICIPANT_NOT_FOUND');
  return exact(row);
}
