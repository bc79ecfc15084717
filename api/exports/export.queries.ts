import type { Readable } from 'node:stream';
import { AppError } from '../../entities/errors';
import type { Mode } from '../../entities/rules/values/mode';
import { queryOne, type Db } from '../../entities/database/sql';
import type { Exporter } from '../../activities/runtime/connections/export-entry';
import type { RowStreams } from '../../activities/runtime/connections/row-streams';

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
  return `jsonb_build_object('id', c.id, 'conversionId', c.conversion_id, ${transaction}
    'status', c.status, 'commissionType', c.commission_type, 'amountCents', c.amount_cents,
    'originalAmountCents', c.original_amount_cents,
    'refundedAmountCents', c.refunded_amount_cents, 'currency', c.currency,
    'conversionAmountCents', c.conversion_amount_cents, 'terms', c.terms,
    'rejectionReason', c.rejection_reason, 'holdUntil', ${instant('c.hold_until')},
    'approvedAt', ${instant('c.approved_at')}, 'rejectedAt', ${instant('c.rejected_at')},
    'paidAt', ${instant('c.paid_at')}, 'refundedAt', ${instant('c.refunded_at')},
    'payoutId', c.payout_id, 'createdAt', ${instant('c.created_at')})`;
}

function statementOf(of: ExportOf): { text: string; params: unknown[] } {
  const byId = 'participantId' in of;
  const own = byId ? 'id = $1' : 'partner_id = $1 AND mode = $2 AND erased_at IS NULL';
  const text = `
    WITH own AS (SELECT id, program_id FROM participants WHERE ${own}), rows AS (
      SELECT own.id AS participant, 0 AS section, l.id AS id, jsonb_build_object('id', l.id,
             'token', l.token, 'name', l.name, 'targetUrl', coalesce(l.target_url, g.website_url),
             'createdAt', ${instant('l.created_at')}) AS object
        FROM own JOIN tracking_links AS l ON l.participant_id = own.id AND l.deleted_at IS NULL
        JOIN programs AS g ON g.id = own.program_id
      UNION ALL
      SELECT own.id, 1, m.id, jsonb_build_object('code', m.code,
             'createdAt', ${instant('m.created_at')})
        FROM own JOIN promo_codes AS m ON m.participant_id = own.id
      UNION ALL
      SELECT own.id, 2, c.id, ${commissionObject(of)}
        FROM own JOIN commissions AS c ON c.participant_id = own.id
      UNION ALL
      SELECT own.id, 3, i.id, jsonb_build_object('id', o.id, 'status', o.status,
             'currency', i.currency, 'amountCents', i.amount_cents,
             'createdAt', ${instant('o.created_at')}, 'completedAt', ${instant('o.completed_at')})
        FROM own JOIN payout_items AS i ON i.participant_id = own.id
        JOIN payouts AS o ON o.id = i.payout_id)`;
  return { text, params: byId ? [of.participantId] : [of.partnerId, of.mode] };
}

/** EXPORT_TOO_LARGE, before anything is sent. */
export async function refuseLargeExport(db: Db, of: ExportOf): Promise<void> {
  const { text, params } = statementOf(of);
  const size = await queryOne<{ bytes: number }>(
    db,
    `${text} SELECT coalesce(sum(octet_length(object::text)), 0)::bigint AS bytes FROM rows`,
    params,
  );
  if ((size?.bytes ?? 0) > largestExportBytes) throw new AppError('EXPORT_TOO_LARGE');
}

/** Rows `[key, participant id, section, JSON text]`, by participant and section, oldest first. */
export function openExportRows(
  streams: RowStreams,
  exporter: Exporter,
  of: ExportOf,
): Promise<Readable> {
  const { text, params } = statementOf(of);
  const key = `(participant::text || section || id::text) COLLATE "C"`;
  const [after, limit] = [`$${params.length + 1}::text`, `$${params.length + 2}`];
  return streams.open(exporter, {
    pageSize: 4_000,
    page: (last, count) => ({
      text: `${text} SELECT ${key}, participant::text, section, object::text FROM rows
              WHERE ${after} IS NULL OR ${key} > ${after} ORDER BY 1 LIMIT ${limit}`,
      params: [...params, last, count],
    }),
  });
}
