import type { DecisionDto } from './attribution.dto';
import type { DecisionRow } from './attribution.queries';

export function presentDecision(row: DecisionRow): DecisionDto {
  return {
    conversion_id: row.conversionId,
    external_transaction_id: row.externalTransactionId,
    attributed: row.attributed,
    reason: row.reason,
    explanation: row.explanation,
    matched_by: row.matchedBy,
    click_id: row.clickId,
    promo_code: row.promoCode,
    program_id: row.programId,
    participant_id: row.participantId,
    created_at: row.createdAt.toISOString(),
  };
}
