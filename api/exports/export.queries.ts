import { AppError } from '../../entities/errors';
import type { PagedRows, PageStatement } from '../../runtime/connections/row-streams';

/** Lists of a participation, in the order in which the bundle has them. */
export const sections = ['links', 'promoCodes', 'commissions', 'payouts'] as const;

/** The owner of the rows: one participation, or all of a partner's, in both modes and erased ones too. */
export type ExportOf = { participantId: string } | { partnerId: string };

export function instant(column: string): string {
  return `to_char(${column} AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;
}

/** JSON text is made by the server: the quickest way from there to the file. */
function commissionObject(of: ExportOf): string {
  // A partner does not see how the merchant names the sale.
  const transaction =
    'participantId' in of ? `'externalTransactionId', c.external_transaction_id,` : '';
  return `json_build_object('id', c.id, 'conversionId', c.conversion_id, ${transaction}
    'adjustmentReason', c.adjustment_reason, 'status', c.status, 'commissionType', c.commission_type, 'amountCents', c.amount_cents,
    'originalAmountCents', c.original_amount_cents,
    'refundedAmountCents', c.refunded_amount_cents, 'currency', c.currency,
    'conversionAmountCents', c.conversion_amount_cents, 'terms', c.terms,
    'rejectionReason', c.rejection_reason, 'holdUntil', ${instant('c.hold_until')},
    'approvedAt', ${instant('c.approved_at')}, 'rejectedAt', ${instant('c.rejected_at')},
    'paidAt', ${instant('c.paid_at')}, 'refundedAt', ${instant('c.refunded_at')},
    ${'participantId' in of ? '' : booksOfCommission}
    'payoutId', c.payout_id, 'createdAt', ${instant('c.created_at')})`;
}

/** What was decided on a commission and why, and each entry of its ledger. */
const booksOfCommission = `'history', coalesce((
      SELECT json_agg(json_build_object('from', h.from_status, 'to', h.to_status,
               'trigger', h.trigger, 'reason', h.reason, 'at', ${instant('h.at')}) ORDER BY h.id)
        FROM commission_history AS h WHERE h.commission_id = c.id), '[]'),
    'ledger', coalesce((
      SELECT json_agg(json_build_object('type', e.type, 'amountCents', e.amount_cents,
               'currency', e.currency, 'createdAt', ${instant('e.created_at')}) ORDER BY e.id)
        FROM ledger_entries AS e WHERE e.commission_id = c.id), '[]'),`;

/** A section: its rows, whose ids are unique in it, and the object of one whose id is k.id. */
interface Source {
  rows: string;
  object: string;
}

/** Deleted links are no part of a programme any more, but the partner's own. */
const deletedToo = (of: ExportOf): string =>
  'participantId' in of ? ' AND r.deleted_at IS NULL' : '';
const deletedAt = (of: ExportOf): string =>
  'participantId' in of ? '' : `'deletedAt', ${instant('l.deleted_at')},`;

function sourcesOf(of: ExportOf): Source[] {
  return [
    {
      rows: `tracking_links AS r WHERE r.participant_id = own.id${deletedToo(of)}`,
      object: `SELECT json_build_object('id', l.id, 'token', l.token, 'name', l.name, ${deletedAt(of)}
                      'targetUrl', coalesce(l.target_url, g.website_url),
                      'createdAt', ${instant('l.created_at')}) AS object
                 FROM tracking_links AS l LEFT JOIN programs AS g ON g.id = l.program_id
                WHERE k.section = 0 AND l.id = k.id`,
    },
    {
      rows: 'promo_codes AS r WHERE r.participant_id = own.id',
      object: `SELECT json_build_object('code', m.code, 'createdAt', ${instant('m.created_at')})
                 FROM promo_codes AS m WHERE k.section = 1 AND m.id = k.id`,
    },
    {
      rows: 'commissions AS r WHERE r.participant_id = own.id',
      object: `SELECT ${commissionObject(of)}
                 FROM commissions AS c WHERE k.section = 2 AND c.id = k.id`,
    },
    {
      rows: 'payout_items AS r WHERE r.participant_id = own.id',
      object: `SELECT json_build_object('id', o.id, 'status', o.status,
                      'currency', i.currency, 'amountCents', i.amount_cents,
                      'createdAt', ${instant('o.created_at')},
                      'completedAt', ${instant('o.completed_at')})
                 FROM payout_items AS i JOIN payouts AS o ON o.id = i.payout_id
                WHERE k.section = 3 AND i.id = k.id`,
    },
  ];
}

const beforeAll = '00000000-0000-0000-0000-000000000000';

/** What a key says: the row's participation, section and id. */
function placeOf(key: string | null): [participant: string, section: number, id: string] {
  if (key === null) return [beforeAll, 0, beforeAll];
  return [key.slice(0, 36), Number(key[36]), key.slice(37)];
}

/**
 * The keys of a page and the object of each: `page AS k ... o`. Each section is entered by index where
 * the last page ended, so the last page costs what the first one does.
 */
function pageOf(
  of: ExportOf,
  after: string | null,
  limit: number,
): PageStatement & { from: string } {
  const [own, params] =
    'participantId' in of ? ['id = $5', [of.participantId]] : ['partner_id = $5', [of.partnerId]];
  const sources = sourcesOf(of);
  const keys = sources.map(
    ({ rows }, section) => `(SELECT ${section} AS section, r.id FROM ${rows}
        AND (own.id > $1 OR ${section} >= $2)
        AND r.id > CASE WHEN own.id = $1 AND ${section} = $2 THEN $3::uuid ELSE '${beforeAll}' END
      ORDER BY r.id LIMIT $4)`,
  );
  return {
    text: `WITH own AS (SELECT id FROM participants WHERE ${own} AND id >= $1),
      page AS (SELECT own.id AS participant, r.section, r.id
                 FROM own CROSS JOIN LATERAL (${keys.join(' UNION ALL ')}) AS r
                ORDER BY 1, 2, 3 LIMIT $4)`,
    from: `page AS k
      CROSS JOIN LATERAL (${sources.map(({ object }) => object).join(' UNION ALL ')}) AS o
      ORDER BY k.participant, k.section, k.id`,
    params: [...placeOf(after), limit, ...params],
  };
}

const key = 'k.participant::text || k.section || k.id';

/**
 * Rows `[key, participant id, section, JSON text]`, by participant, section and id.
 * EXPORT_TOO_LARGE before the first of them.
 */
export function exportRowsOf(of: ExportOf): PagedRows {
  const select = (columns: string) => (after: string | null, limit: number) => {
    const { text, from, params } = pageOf(of, after, limit);
    return { text: `${text} SELECT ${key}, ${columns} FROM ${from}`, params };
  };
  return {
    size: {
      page: select('octet_length(o.object::text)'),
      max: 50 * 1_000_000,
      refusal: () => new AppError('EXPORT_TOO_LARGE'),
    },
    // Few of these large rows are read at once: others wait for the processor as long as that takes.
    pageSize: 250,
    page: select('k.participant::text, k.section, o.object::text'),
  };
}
