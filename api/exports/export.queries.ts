import { AppError } from '../../entities/errors';
import type { Mode } from '../../entities/rules/values/mode';
import type { PagedRows } from '../../activities/runtime/connections/row-streams';

/** Lists of a participation, in the order in which the bundle has them. */
export const sections = ['links', 'promoCodes', 'commissions', 'payouts'] as const;
export type Section = (typeof sections)[number];

/** Whose rows: one participation, or a partner's in a mode. */
export type ExportOf = { participantId: string } | { partnerId: string; mode: Mode };

export const largestExportBytes = 50 * 1_000_000;

function instant(column: string): string {
  return `to_char(${column} AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;
}

/** JSON text is made by the server: the quickest way from there to the file. */
function commissionObject(of: ExportOf): string {
  // A partner does not see how the merchant names the sale.
  const transaction =
    'participantId' in of ? `'externalTransactionId', c.external_transaction_id,` : '';
  return `json_build_object('id', c.id, 'conversionId', c.conversion_id, ${transaction}
    'status', c.status, 'commissionType', c.commission_type, 'amountCents', c.amount_cents,
    'originalAmountCents', c.original_amount_cents,
    'refundedAmountCents', c.refunded_amount_cents, 'currency', c.currency,
    'conversionAmountCents', c.conversion_amount_cents, 'terms', c.terms,
    'rejectionReason', c.rejection_reason, 'holdUntil', ${instant('c.hold_until')},
    'approvedAt', ${instant('c.approved_at')}, 'rejectedAt', ${instant('c.rejected_at')},
    'paidAt', ${instant('c.paid_at')}, 'refundedAt', ${instant('c.refunded_at')},
    'payoutId', c.payout_id, 'createdAt', ${instant('c.created_at')})`;
}

/** The rows of each section: where they come from, and the object of one whose id is k.id. */
function sourcesOf(of: ExportOf): { keys: string; object: string }[] {
  return [
    {
      keys: `SELECT own.id AS participant, 0 AS section, l.id
               FROM own JOIN tracking_links AS l
                 ON l.participant_id = own.id AND l.deleted_at IS NULL`,
      object: `SELECT json_build_object('id', l.id, 'token', l.token, 'name', l.name,
                      'targetUrl', coalesce(l.target_url, g.website_url),
                      'createdAt', ${instant('l.created_at')}) AS object
                 FROM tracking_links AS l LEFT JOIN programs AS g ON g.id = l.program_id
                WHERE k.section = 0 AND l.id = k.id`,
    },
    {
      keys: `SELECT own.id, 1, m.id
               FROM own JOIN promo_codes AS m ON m.participant_id = own.id`,
      object: `SELECT json_build_object('code', m.code, 'createdAt', ${instant('m.created_at')})
                 FROM promo_codes AS m WHERE k.section = 1 AND m.id = k.id`,
    },
    {
      keys: `SELECT own.id, 2, c.id
               FROM own JOIN commissions AS c ON c.participant_id = own.id`,
      object: `SELECT ${commissionObject(of)}
                 FROM commissions AS c WHERE k.section = 2 AND c.id = k.id`,
    },
    {
      keys: `SELECT own.id, 3, i.id
               FROM own JOIN payout_items AS i ON i.participant_id = own.id`,
      object: `SELECT json_build_object('id', o.id, 'status', o.status,
                      'currency', i.currency, 'amountCents', i.amount_cents,
                      'createdAt', ${instant('o.created_at')},
                      'completedAt', ${instant('o.completed_at')})
                 FROM payout_items AS i JOIN payouts AS o ON o.id = i.payout_id
                WHERE k.section = 3 AND i.id = k.id`,
    },
  ];
}

/** All rows as keys `k`, which are cheap to sort, and the object `o` of a key. */
function rowsOf(of: ExportOf): { keys: string; objects: string; params: unknown[] } {
  const byId = 'participantId' in of;
  const own = byId ? 'id = $1' : 'partner_id = $1 AND mode = $2 AND erased_at IS NULL';
  const sources = sourcesOf(of);
  const union = (part: 'keys' | 'object'): string =>
    sources.map((source) => source[part]).join('\n UNION ALL ');
  return {
    keys: `WITH own AS (SELECT id FROM participants WHERE ${own}), keys AS (${union('keys')})`,
    objects: `CROSS JOIN LATERAL (${union('object')}) AS o`,
    params: byId ? [of.participantId] : [of.partnerId, of.mode],
  };
}

/** Each statement sorts the keys of all rows, and makes the objects of one page. */
const pageSize = 1_000;

/**
 * Rows `[key, participant id, section, JSON text]`, by participant and section, oldest first.
 * EXPORT_TOO_LARGE before the first of them.
 */
export function exportRowsOf(of: ExportOf): PagedRows {
  const { keys, objects, params } = rowsOf(of);
  const key = `(participant::text || section || id::text) COLLATE "C"`;
  const [after, limit] = [`$${params.length + 1}::text`, `$${params.length + 2}`];
  return {
    check: {
      statement: {
        text: `${keys} SELECT coalesce(sum(octet_length(o.object::text)), 0)
                 FROM keys AS k ${objects}`,
        params,
      },
      refuse([row]) {
        if (Number(row?.[0]) > largestExportBytes) throw new AppError('EXPORT_TOO_LARGE');
      },
    },
    pageSize,
    page: (last, count) => ({
      text: `${keys}, page AS (
               SELECT ${key} AS key, participant, section, id FROM keys
                WHERE ${after} IS NULL OR ${key} > ${after} ORDER BY 1 LIMIT ${limit})
             SELECT k.key, k.participant::text, k.section, o.object::text
               FROM page AS k ${objects} ORDER BY 1`,
      params: [...params, last, count],
    }),
  };
}
