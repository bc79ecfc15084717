import type { FraudFlagDto } from './fraud.dto';
import type { FraudFlagRow } from './fraud.queries';

export function presentFraudFlag(row: FraudFlagRow): FraudFlagDto {
  return {
    id: row.id,
    rule: row.rule,
    action: row.action,
    value: row.value,
    threshold: row.threshold,
    state: row.state,
    note: row.note,
    resolvedAt: row.resolvedAt?.toISOString() ?? null,
    participantId: row.participantId,
    partnerName: row.partnerName,
    conversion: {
      id: row.conversionId,
      externalTransactionId: row.externalTransactionId,
      eventType: row.eventType,
      amountCents: row.amountCents,
      currency: row.currency,
      attributed: row.attributed,
      reason: row.reason,
      occurredAt: row.occurredAt.toISOString(),
      createdAt: row.reportedAt.toISOString(),
    },
    commission: commissionOf(row),
    createdAt: row.createdAt.toISOString(),
  };
}

function commissionOf(row: FraudFlagRow): FraudFlagDto['commission'] {
  if (row.commissionId === null) return null;
  return {
    id: row.commissionId,
    status: row.commissionStatus,
    amountCents: row.commissionAmountCents,
    currency: row.commissionCurrency,
    needsReview: row.needsReview,
  };
}
