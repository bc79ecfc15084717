import type { ConversionRefund } from '../../entities/tables/conversions/conversion-refund.entity';
import type { RefundDto } from './conversions.dto';

export function presentRefund(refund: ConversionRefund): RefundDto {
  return {
    id: refund.id,
    conversion_id: refund.conversionId,
    external_refund_id: refund.externalRefundId,
    amount_cents: refund.amountCents,
    reason: refund.reason,
    created_at: refund.createdAt.toISOString(),
  };
}
