import type { FieldProblem } from '../../entities/errors';
import type { PayoutItemRecord } from '../../activities/payouts/records';
import {
  payoutItemStatuses,
  reportedStatuses,
  type PayoutItemStatus,
  type ReportedStatus,
} from '../../entities/rules/payouts/status';
import { itemAttentions, type ItemAttention } from '../../entities/rules/payouts/batch-status';
import { payoutProviders, type PayoutProviderName } from '../../entities/rules/payouts/providers';
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
  @OneOf([...reportedStatuses, 'ready'], {
    description:
      'ready becomes paid or failed; paid becomes returned; what was not paid, paid. `ready`, with confirmChecked: an item that is ready was not paid, though it was sent before the database was restored, or by a batch of which nobody knew.',
  })
  status!: ReportedStatus | 'ready';

  @Flag({
    optional: true,
    description:
      'You have looked at what `attention` tells: it ends. Needed for an item that is on its way.',
  })
  confirmChecked?: boolean;

  @Text({ min: 1, max: 255, trim: true, ...absent, example: '5UR12345' })
  transactionId?: string | null;

  @Text({ min: 1, max: 500, trim: true, ...absent })
  reason?: string | null;
}

/**
 * VALIDATION_ERROR for `ready` without `confirmChecked`: only somebody who has checked the item's
 * payment may say that it can be paid again.
 */
export function problemsOfMark({ status, confirmChecked }: MarkItemBody): FieldProblem[] {
  if (status !== 'ready' || confirmChecked === true) return [];
  return [{ field: 'status', message: 'must be one of paid, failed, returned' }];
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

  @AnyText({ description: 'Masked.', example: 'PayPal, a***@partner.example' })
  label!: string;
}

export class ItemFeeDto {
  @Int()
  amountCents!: number;

  @AnyText({ description: 'ISO 4217, lower case.' })
  currency!: string;
}

export class ItemAttentionDto {
  @OneOf(itemAttentions)
  reason!: ItemAttention;

  @Instant()
  at!: string;
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

  @OneOf(payoutProviders, {
    ...nullable,
    description: 'Who was told to pay it; null: nobody, or not any more.',
  })
  provider!: PayoutProviderName | null;

  @Uuid({ ...nullable, description: 'The last batch that it was in.' })
  batchId!: string | null;

  @AnyText(nullable)
  providerItemId!: string | null;

  @AnyText({ ...nullable, description: "The provider's own word of it." })
  providerStatus!: string | null;

  @Nested(() => ItemFeeDto, {
    ...nullable,
    description: 'What the provider takes, as it estimates.',
    example: null,
  })
  fee!: ItemFeeDto | null;

  @Instant({ ...nullable, description: 'When it was given to the provider last.' })
  sentAt!: string | null;

  @Nested(() => ItemAttentionDto, {
    ...nullable,
    description: 'Why a person has to look at it; ended by mark with confirmChecked.',
    example: null,
  })
  attention!: ItemAttentionDto | null;

  @Instant({ ...nullable, description: 'Until when the partner has to fetch it at the provider.' })
  claimUntil!: string | null;
}

export class PayoutItemDetailDto extends PayoutItemDto {
  @Uuids({
    description: 'Those paid, and those whose overpayment is netted.',
    example: ['0198c0de-5000-7000-8000-000000000005'],
  })
  commissionIds!: string[];
}

export function presentItem(item: PayoutItemRecord): PayoutItemDto {
  const { methodType: type, methodLabel: label } = item;
  const method = type === null ? null : { type, label: label ?? '' };
  const { feeCents, feeCurrency, attentionReason: reason, attentionAt } = item;
  const fee =
    feeCents === null || feeCurrency === null
      ? null
      : { amountCents: feeCents, currency: feeCurrency };
  const attention = reason && attentionAt ? { reason, at: attentionAt.toISOString() } : null;
  return present(PayoutItemDto, { ...item, method, fee, attention });
}

export function presentItemDetail(item: PayoutItemRecord): PayoutItemDetailDto {
  return { ...presentItem(item), commissionIds: item.commissionIds ?? [] };
}
