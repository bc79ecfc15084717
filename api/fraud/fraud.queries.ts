import type { AttributionReason } from '../../entities/rules/attribution/attribute';
import type { CommissionStatus } from '../../entities/rules/commissions/status';
import type { FraudAction, FraudRule, FraudValue } from '../../entities/rules/fraud/fraud';
import { dateRange } from '../../entities/rules/values/instant';
import type { Scope } from '../../entities/rules/values/mode';
import { countFrom, query, type Db } from '../../entities/database/sql';
import { pageWindow } from '../http/pagination';
import type { FraudFlagFilter } from './fraud.dto';

export interface FraudFlagRow {
  id: string;
  rule: FraudRule;
  action: FraudAction;
  value: FraudValue;
  threshold: number | null;
  participantId: string;
  partnerName: string;
  createdAt: Date;
  conversionId: string;
  externalTransactionId: string;
  eventType: string;
  amountCents: number;
  currency: string | null;
  attributed: boolean;
  reason: AttributionReason;
  occurredAt: Date;
  reportedAt: Date;
  commissionId: string | null;
  commissionStatus: CommissionStatus;
  commissionAmountCents: number;
  commissionCurrency: string;
  needsReview: boolean;
}

/** Newest first, each with its conversion and commission as they stand now. */
export async function listFraudFlags(
  db: Db,
  scope: Scope,
  filter: FraudFlagFilter & { programId: string },
): Promise<{ rows: FraudFlagRow[]; total: number }> {
  const { from, to } = dateRange(filter);
  const params = [
    scope.workspaceId,
    scope.mode,
    filter.programId,
    filter.rule ?? null,
    filter.participantId ?? null,
    from,
    to,
  ];
  const where = `f.workspace_id = $1 AND f.mode = $2 AND f.program_id = $3
    AND ($4::text IS NULL OR f.rule = $4) AND ($5::uuid IS NULL OR f.participant_id = $5)
    AND ($6::timestamptz IS NULL OR f.created_at >= $6)
    AND ($7::timestamptz IS NULL OR f.created_at < $7)`;
  const { limit, offset } = pageWindow(filter);

  const total = await countFrom(db, `fraud_flags f WHERE ${where}`, params);
  const rows = await query<FraudFlagRow>(
    db,
    `SELECT f.id, f.rule, f.action, f.value, f.threshold, f.participant_id AS "participantId",
            p.partner_name AS "partnerName", f.created_at AS "createdAt", v.id AS "conversionId",
            v.external_transaction_id AS "externalTransactionId", v.event_type AS "eventType",
            v.amount_cents AS "amountCents", v.currency, v.attributed, v.reason,
            v.occurred_at AS "occurredAt", v.created_at AS "reportedAt", m.id AS "commissionId",
            m.status AS "commissionStatus", m.amount_cents AS "commissionAmountCents",
            m.currency AS "commissionCurrency", m.needs_review AS "needsReview"
       FROM fraud_flags f
       JOIN participants p ON p.id = f.participant_id
       JOIN conversions v ON v.id = f.conversion_id
       LEFT JOIN commissions m ON m.conversion_id = v.id
      WHERE ${where}
      ORDER BY f.created_at DESC, f.id DESC LIMIT ${limit} OFFSET ${offset}`,
    params,
  );
  return { rows, total };
}
