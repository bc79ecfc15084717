import { present } from '../http/contract/present';
import { FlaggedConversionDto, FraudFlagDto } from './fraud.dto';
import type { FraudFlagRow } from './fraud.queries';

export function presentFraudFlag(row: FraudFlagRow): FraudFlagDto {
  const ofConversion = { ...row, id: row.conversionId, createdAt: row.reportedAt };
  return present(FraudFlagDto, {
    ...row,
    conversion: present(FlaggedConversionDto, ofConversion),
    commission: commissionOf(row),
  });
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
