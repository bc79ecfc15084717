import type { AttributionReason, SignalKind } from '../../entities/rules/attribution/attribute';
import type { DecisionTrace } from '../../entities/rules/attribution/conversion';
import type { Scope } from '../../entities/rules/values/mode';
import { countFrom, query, queryOne, type Db } from '../../entities/database/sql';
import { conversionWhere, type ConversionSearch } from '../conversions/conversions.queries';
import { pageWindow } from '../http/pagination';

export interface DecisionRow {
  conversionId: string;
  externalTransactionId: string;
  attributed: boolean;
  reason: AttributionReason;
  explanation: string;
  matchedBy: SignalKind | null;
  clickId: string | null;
  promoCode: string | null;
  programId: string | null;
  participantId: string | null;
  createdAt: Date;
}

const columns = `v.id AS "conversionId", v.external_transaction_id AS "externalTransactionId",
  v.attributed, v.reason, v.explanation, v.matched_by AS "matchedBy", v.click_id AS "clickId",
  v.promo_code AS "promoCode", v.program_id AS "programId", v.participant_id AS "participantId",
  v.created_at AS "createdAt"`;

/** Newest first. */
export async function listDecisions(
  db: Db,
  scope: Scope,
  filter: ConversionSearch & { page: number; limit: number },
): Promise<{ rows: DecisionRow[]; total: number }> {
  const { where, params } = conversionWhere(scope, filter);
  const { limit, offset } = pageWindow(filter);
  const total = await countFrom(db, `conversions v WHERE ${where}`, params);
  const rows = await query<DecisionRow>(
    db,
    `SELECT ${columns} FROM conversions v WHERE ${where}
      ORDER BY v.created_at DESC, v.id DESC LIMIT ${limit} OFFSET ${offset}`,
    params,
  );
  return { rows, total };
}

export function findDecision(
  db: Db,
  scope: Scope,
  conversionId: string,
): Promise<(DecisionRow & { trace: DecisionTrace }) | undefined> {
  return queryOne(
    db,
    `SELECT ${columns}, d.trace
       FROM conversions v JOIN attribution_decisions d ON d.conversion_id = v.id
      WHERE v.id = $1 AND v.workspace_id = $2 AND v.mode = $3`,
    [conversionId, scope.workspaceId, scope.mode],
  );
}
