import type { CommissionStatus } from '../../entities/rules/commissions/status';
import type { Scope } from '../../entities/rules/values/mode';
import { query, type Db } from '../../entities/database/sql';
import type { ConversionRecord } from './conversion';

/** Columns of `conversions v` with its commission `m`, for ConversionRow. */
export const conversionColumns = `
  v.id, v.mode, v.external_transaction_id AS "externalTransactionId", v.source,
  v.event_type AS "eventType", v.amount_cents AS "amountCents", v.currency,
  v.occurred_at AS "occurredAt", v.customer_id AS "customerId", v.metadata, v.attributed, v.reason,
  v.explanation, v.matched_by AS "matchedBy", v.click_id AS "clickId",
  v.promo_code AS "promoCode", v.program_id AS "programId", v.participant_id AS "participantId",
  v.window_ends_at AS "windowEndsAt", v.refunded_amount_cents AS "refundedAmountCents",
  v.created_at AS "createdAt", m.id AS "commissionId", m.status AS "commissionStatus",
  m.amount_cents AS "commissionAmountCents", m.currency AS "commissionCurrency",
  m.hold_until AS "holdUntil", m.needs_review AS "needsReview"`;

export interface ConversionRow extends Omit<ConversionRecord, 'commission'> {
  commissionId: string | null;
  commissionStatus: CommissionStatus;
  commissionAmountCents: number;
  commissionCurrency: string;
  holdUntil: Date | null;
  needsReview: boolean;
}

/** The record of a row; a conversion without a commission has null columns there. */
export function conversionOf(row: ConversionRow): ConversionRecord {
  const {
    commissionId,
    commissionStatus,
    commissionAmountCents,
    commissionCurrency,
    holdUntil,
    needsReview,
    ...conversion
  } = row;
  const commission =
    commissionId === null
      ? null
      : {
          id: commissionId,
          status: commissionStatus,
          amountCents: commissionAmountCents,
          currency: commissionCurrency,
          holdUntil,
          needsReview,
        };
  return { ...conversion, commission };
}

/** The conversion as it stands now; undefined for one of another workspace or mode. */
export async function findConversion(
  db: Db,
  scope: Scope,
  id: string,
): Promise<ConversionRecord | undefined> {
  const [row] = await query<ConversionRow>(
    db,
    `SELECT ${conversionColumns}
       FROM conversions v LEFT JOIN commissions m ON m.conversion_id = v.id
      WHERE v.id = $1 AND v.workspace_id = $2 AND v.mode = $3`,
    [id, scope.workspaceId, scope.mode],
  );
  return row && conversionOf(row);
}
