import {
  isOpenItem,
  payoutItemStatuses,
  payoutStatuses,
  type PayoutItemStatus,
  type PayoutStatus,
} from '../../entities/rules/payouts/status';
import type { CreatedPayout } from '../../activities/payouts/payouts';
import type { PayoutRecord } from '../../activities/payouts/records';
import type { PayoutItem } from '../../entities/tables/payouts/payout-item.entity';
import type { Payout } from '../../entities/tables/payouts/payout.entity';
import { PageQuery } from '../http/contract/pagination';
import { present } from '../http/contract/present';
import {
  absent,
  AnyText,
  Instant,
  CurrencyCode,
  Flag,
  Int,
  ListOf,
  Nested,
  OneOf,
  Text,
  Uuid,
  Uuids,
} from '../http/contract/validators';
import {
  PayoutItemDetailDto,
  PayoutItemDto,
  presentItem,
  presentItemDetail,
} from './payout-items.dto';
import { exampleOf } from '../http/contract/example';

export class PreviewPayoutBody {
  @Uuid()
  programId!: string;

  @Uuids({
    min: 1,
    max: 5_000,
    distinct: true,
    optional: true,
    description:
      'Default: the oldest 10,000 approved commissions, without those of suspended partners.',
  })
  commissionIds?: string[];

  @Flag({ optional: true, description: 'Leaves out partners who have not said how to pay them.' })
  requireMethod?: boolean;

  @Flag({
    optional: true,
    description:
      'Leaves out partners whose way to be paid came with an import and was not confirmed by them.',
  })
  requireConfirmed?: boolean;

  @Instant({ optional: true, description: 'Takes only what was approved by then.' })
  until?: string;
}

export class CurrencyTotalDto {
  @CurrencyCode()
  currency!: string;

  @Int({ min: 0 })
  amountCents!: number;
}

export class CreatePayoutBody extends PreviewPayoutBody {
  @Text({
    min: 1,
    max: 255,
    ...absent,
    example: 'March 2026',
    description: 'Kept for ever, no erasure looks into it: no names of persons.',
  })
  reference?: string | null;

  @ListOf(() => CurrencyTotalDto, {
    optional: true,
    max: 200,
    description: "The preview's totals: where it comes to something else, nothing is made.",
  })
  expected?: CurrencyTotalDto[];
}

export class PayoutListQuery extends PageQuery {
  @Uuid({ optional: true, description: 'Narrows to one programme.' })
  programId?: string;

  @OneOf(payoutStatuses, { optional: true })
  status?: PayoutStatus;
}

export class PayoutDto {
  @Uuid()
  id!: string;

  @Uuid()
  programId!: string;

  @OneOf(payoutStatuses)
  status!: PayoutStatus;

  @AnyText({ nullable: true, example: 'March 2026' })
  reference!: string | null;

  @ListOf(() => PayoutItemDto, { description: 'One a partner and currency.' })
  items!: PayoutItemDto[];

  @Instant()
  createdAt!: string;

  @Instant({ nullable: true })
  completedAt!: string | null;

  @Instant({ nullable: true })
  cancelledAt!: string | null;
}

export class PayoutProgressDto {
  @Int({ min: 0, description: 'Items whose end is known: neither ready nor on their way.' })
  done!: number;

  @Int({ min: 0 })
  total!: number;
}

/** A payout that is read alone. */
export class PayoutDetailDto extends PayoutDto {
  @Nested(() => PayoutProgressDto, {
    description: 'How far it is: of how many items the end is known.',
  })
  progress!: PayoutProgressDto;

  @ListOf(() => PayoutItemDetailDto, { description: 'One a partner and currency.' })
  declare items: PayoutItemDetailDto[];
}

export class CreatedPayoutDto extends PayoutDetailDto {
  @Int({ min: 0, description: 'Commissions that the next payout could take.' })
  remaining!: number;
}

/** What a partner gets by a payout in one currency. */
export class PartnerPayoutDto {
  @Uuid()
  id!: string;

  @Uuid()
  programId!: string;

  @Int({ min: 1 })
  amountCents!: number;

  @AnyText()
  currency!: string;

  @OneOf(payoutStatuses, {
    description: 'Of this amount; what failed or came back is cancelled.',
    example: 'completed',
  })
  status!: PayoutStatus;

  @Instant()
  createdAt!: string;

  @Instant({ nullable: true, example: '2026-04-01T09:00:00.000Z' })
  completedAt!: string | null;

  @OneOf(payoutItemStatuses, { description: 'sending: it is on its way.', example: 'paid' })
  itemStatus!: PayoutItemStatus;

  @AnyText({ nullable: true, description: 'Why it failed or came back.' })
  reason!: string | null;

  @Instant({
    nullable: true,
    description: 'It waits for you at PayPal until then; null: it does not.',
  })
  claimUntil!: string | null;
}

export class BalanceDto {
  @AnyText({ description: 'ISO 4217, lower case.' })
  currency!: string;

  @Int({ description: 'Pending, without what is disputed.', example: 4200 })
  pendingCents!: number;

  @Int({ description: 'Approved and in no payout, without what is disputed.', example: 980 })
  approvedCents!: number;

  @Int({ description: 'In payouts that are being processed.' })
  inPayoutCents!: number;

  @Int({ description: 'What was paid and did not come back.', example: 12_500 })
  paidCents!: number;

  @Int({ description: 'What imports brought: open, and paid elsewhere.' })
  importedCents!: number;

  @Int({ description: 'Of what was imported, what the system before had paid; not in paidCents.' })
  paidElsewhereCents!: number;

  @Int({ min: 0, description: 'Paid too much; the next payouts net it.' })
  debtCents!: number;
}

export class BalanceQuery {
  @Instant({
    optional: true,
    description: 'As it was just before that instant; without it, as it is now.',
  })
  at?: string;
}

export class BalancesDto {
  @ListOf(() => BalanceDto)
  balances!: BalanceDto[];
}

export function presentPayout(payout: PayoutRecord): PayoutDto {
  return present(PayoutDto, { ...payout, items: payout.items.map(presentItem) });
}

export function presentPayoutDetail(payout: PayoutRecord): PayoutDetailDto {
  const done = payout.items.filter(({ status }) => !isOpenItem(status)).length;
  return {
    ...presentPayout(payout),
    items: payout.items.map(presentItemDetail),
    progress: { done, total: payout.items.length },
  };
}

export function presentCreatedPayout(payout: CreatedPayout): CreatedPayoutDto {
  return { ...presentPayoutDetail(payout), remaining: payout.remaining };
}

const statusForPartner: Readonly<Record<PayoutItemStatus, PayoutStatus>> = {
  ready: 'processing',
  sending: 'processing',
  paid: 'completed',
  failed: 'cancelled',
  returned: 'cancelled',
  cancelled: 'cancelled',
};

export type PartnerPayoutRow = Pick<Payout, 'id' | 'programId' | 'createdAt'> &
  Pick<PayoutItem, 'amountCents' | 'currency' | 'status' | 'paidAt' | 'reason' | 'claimUntil'>;

export function presentPartnerPayout(row: PartnerPayoutRow): PartnerPayoutDto {
  return present(PartnerPayoutDto, {
    ...row,
    status: statusForPartner[row.status],
    completedAt: row.status === 'paid' ? row.paidAt : null,
    itemStatus: row.status,
  });
}

const endedAt = '2026-04-01T09:00:00.000Z';

export const completedPayoutExample = exampleOf(PayoutDto, {
  status: 'completed',
  completedAt: endedAt,
  items: [exampleOf(PayoutItemDto, { status: 'paid', paidAt: endedAt })],
});

export const cancelledPayoutExample = exampleOf(PayoutDto, {
  status: 'cancelled',
  cancelledAt: endedAt,
  items: [exampleOf(PayoutItemDto, { status: 'cancelled', endedAt })],
});
