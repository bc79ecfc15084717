import { payoutStatuses } from '../../entities/rules/payouts/plan';
import type { PayoutStatus } from '../../entities/rules/payouts/plan';
import type { PayoutRecord } from '../../activities/payouts/records';
import { PageQuery } from '../http/pagination';
import { AnyText, Instant, Int, ListOf, OneOf, Text, Uuid, Uuids } from '../http/validators';
import type { Balance, PartnerPayoutRow } from './payouts.queries';

export class CreatePayoutBody {
  @Uuid()
  programId!: string;

  @Uuids({
    min: 1,
    max: 1_000,
    distinct: true,
    optional: true,
    description: 'Default: every approved commission of the programme.',
  })
  commissionIds?: string[];

  @Text({ min: 1, max: 255, optional: true, nullable: true, example: 'March 2026' })
  reference?: string | null;
}

export class PayoutListQuery extends PageQuery {
  @Uuid({ optional: true, description: 'Narrows to one programme.' })
  programId?: string;

  @OneOf(payoutStatuses, { optional: true })
  status?: PayoutStatus;
}

export class PayoutItemDto {
  @Uuid()
  participantId!: string;

  @AnyText()
  partnerName!: string;

  @AnyText({ description: 'ISO 4217, lower case.' })
  currency!: string;

  @Int({ min: 1, description: 'Minor units, debts netted.' })
  amountCents!: number;

  @Uuids({ description: 'Those paid, and those whose overpayment is netted.' })
  commissionIds!: string[];
}

export class PayoutDto {
  @Uuid()
  id!: string;

  @Uuid()
  programId!: string;

  @OneOf(payoutStatuses)
  status!: PayoutStatus;

  @AnyText({ nullable: true })
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

  @OneOf(payoutStatuses)
  status!: PayoutStatus;

  @Instant()
  createdAt!: string;

  @Instant({ nullable: true })
  completedAt!: string | null;
}

export class BalanceDto {
  @AnyText({ description: 'ISO 4217, lower case.' })
  currency!: string;

  @Int({ description: 'Pending, without what is disputed.' })
  pendingCents!: number;

  @Int({ description: 'Approved and in no payout, without what is disputed.' })
  approvedCents!: number;

  @Int({ description: 'In payouts that are being processed.' })
  inPayoutCents!: number;

  @Int({ description: 'What completed payouts paid.' })
  paidCents!: number;

  @Int({ min: 0, description: 'Paid too much; the next payouts net it.' })
  debtCents!: number;
}

export class BalancesDto {
  @ListOf(() => BalanceDto)
  balances!: BalanceDto[];
}

export function presentPayout(payout: PayoutRecord): PayoutDto {
  return {
    id: payout.id,
    programId: payout.programId,
    status: payout.status,
    reference: payout.reference,
    items: payout.items.map((item) => ({
      participantId: item.participantId,
      partnerName: item.partnerName,
      currency: item.currency,
      amountCents: item.amountCents,
      commissionIds: item.commissionIds,
    })),
    createdAt: payout.createdAt.toISOString(),
    completedAt: payout.completedAt?.toISOString() ?? null,
    cancelledAt: payout.cancelledAt?.toISOString() ?? null,
  };
}

export function presentPartnerPayout(row: PartnerPayoutRow): PartnerPayoutDto {
  return {
    id: row.id,
    programId: row.programId,
    amountCents: row.amountCents,
    currency: row.currency,
    status: row.status,
    createdAt: row.createdAt.toISOString(),
    completedAt: row.completedAt?.toISOString() ?? null,
  };
}

export function presentBalances(balances: readonly Balance[]): BalancesDto {
  return {
    balances: balances.map((balance) => ({
      currency: balance.currency,
      pendingCents: balance.pendingCents,
      approvedCents: balance.approvedCents,
      inPayoutCents: balance.inPayoutCents,
      paidCents: balance.paidCents,
      debtCents: balance.debtCents,
    })),
  };
}

export const payoutExample: PayoutDto = {
  id: '0198c0de-7000-7000-8000-000000000007',
  programId: '0198c0de-1000-7000-8000-000000000001',
  status: 'processing',
  reference: 'March 2026',
  items: [
    {
      participantId: '0198c0de-2000-7000-8000-000000000002',
      partnerName: 'Anna Partner',
      currency: 'usd',
      amountCents: 980,
      commissionIds: ['0198c0de-5000-7000-8000-000000000005'],
    },
  ],
  createdAt: '2026-03-31T09:00:00.000Z',
  completedAt: null,
  cancelledAt: null,
};

export const completedPayoutExample: PayoutDto = {
  ...payoutExample,
  status: 'completed',
  completedAt: '2026-04-01T09:00:00.000Z',
};

export const cancelledPayoutExample: PayoutDto = {
  ...payoutExample,
  status: 'cancelled',
  cancelledAt: '2026-04-01T09:00:00.000Z',
};

export const partnerPayoutExample: PartnerPayoutDto = {
  id: payoutExample.id,
  programId: payoutExample.programId,
  amountCents: 980,
  currency: 'usd',
  status: 'completed',
  createdAt: payoutExample.createdAt,
  completedAt: '2026-04-01T09:00:00.000Z',
};

export const balancesExample: BalancesDto = {
  balances: [
    {
      currency: 'usd',
      pendingCents: 4_200,
      approvedCents: 980,
      inPayoutCents: 0,
      paidCents: 12_500,
      debtCents: 0,
    },
  ],
};
