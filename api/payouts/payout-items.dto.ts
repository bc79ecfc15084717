import type { PayoutItemRecord } from '../../activities/payouts/records';
import {
  payoutItemStatuses,
  reportedStatuses,
  type PayoutItemStatus,
  type ReportedStatus,
} from '../../entities/rules/payouts/status';
import { present } from '../http/contract/present';
import {
  absent,
  AnyText,
  Flag,
  Instant,
  Int,
  Nested,
  OneOf,
  Text,
  Uuid,
  Uuids,
  nullable,
} from '../http/contract/validators';

export class MarkItemBody {
  @OneOf(reportedStatuses, {
    description: 'ready becomes paid or failed; paid becomes returned; what was not paid, paid.',
  })
  status!: ReportedStatus;

  @Text({ min: 1, max: 255, trim: true, ...absent, example: '5UR12345' })
  transactionId?: string | null;

  @Text({ min: 1, max: 500, trim: true, ...absent })
  reason?: string | null;
}

export class CancelPayoutBody {
  @Flag({
    optional: true,
    description: 'Cancels items that a file held too: nobody has paid them, nor will.',
  })
  confirmExported?: boolean;
}

/** How a partner was to be paid when the payout was made. */
export class ItemMethodDto {
  @AnyText({ example: 'paypal' })
  type!: string;

  @AnyText({ description: 'Masked.', example: 'PayPal, p***@example.com' })
  label!: string;
}

export class PayoutItemDto {
  @Uuid()
  id!: string;

  @AnyText({ description: 'What a bank knows it by.', example: 'po0k3f9a2m7q1x8w5z4b6c' })
  reference!: string;

  @Uuid()
  participantId!: string;

  @AnyText()
  partnerName!: string;

  @AnyText({ description: 'ISO 4217, lower case.' })
  currency!: string;

  @Int({ min: 1, description: 'Minor units, debts netted; whole units of HUF and TWD.' })
  amountCents!: number;

  @Int({ min: 1, description: 'Those paid, and those whose overpayment is netted.' })
  commissionCount!: number;

  @Nested(() => ItemMethodDto, nullable)
  method!: ItemMethodDto | null;

  @OneOf(payoutItemStatuses)
  status!: PayoutItemStatus;

  @AnyText(nullable)
  transactionId!: string | null;

  @AnyText({ ...nullable, description: 'Why it failed or came back.' })
  reason!: string | null;

  @Instant({ ...nullable, description: 'Of the first file that held it.' })
  exportedAt!: string | null;

  @Instant(nullable)
  paidAt!: string | null;

  @Instant({ ...nullable, description: 'Since when it has failed, come back or been cancelled.' })
  endedAt!: string | null;
}

export class PayoutItemDetailDto extends PayoutItemDto {
  @Uuids({ description: 'Those paid, and those whose overpayment is netted.' })
  commissionIds!: string[];
}

export function presentItem(item: PayoutItemRecord): PayoutItemDto {
  const { methodType: type, methodLabel: label } = item;
  const method = type === null ? null : { type, label: label ?? '' };
  return present(PayoutItemDto, { ...item, method });
}

export function presentItemDetail(item: PayoutItemRecord): PayoutItemDetailDto {
  return { ...presentItem(item), commissionIds: item.commissionIds ?? [] };
}

export const itemExample: PayoutItemDto = {
  id: '0198c0de-7100-7000-8000-000000000071',
  reference: 'po0k3f9a2m7q1x8w5z4b6c',
  participantId: '0198c0de-2000-7000-8000-000000000002',
  partnerName: 'Anna Partner',
  currency: 'usd',
  amountCents: 980,
  commissionCount: 1,
  method: { type: 'paypal', label: 'PayPal, a***@partner.example' },
  status: 'ready',
  transactionId: null,
  reason: null,
  exportedAt: null,
  paidAt: null,
  endedAt: null,
};
