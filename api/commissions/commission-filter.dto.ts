import { commissionStatuses, type CommissionStatus } from '../../entities/rules/commissions/status';
import {
  CurrencyCode,
  DateOrInstant,
  OneOf,
  QueryFlag,
  Text,
  Uuid,
} from '../http/contract/validators';
import type { Place } from '../../entities/database/list';
import { PageCursor, PageLimit, PageNumber } from '../http/contract/pagination';

export const commissionSortKeys = [
  'createdAt',
  'amountCents',
  'status',
  'commissionType',
  'needsReview',
  'partnerName',
] as const;
export type CommissionSortKey = (typeof commissionSortKeys)[number];

/** What list, statistics and export narrow by: the same everywhere. */
export class CommissionFilter {
  @Text({
    max: 320,
    optional: true,
    description:
      "Part of the partner name or the external transaction id, in any case, literal; or another id of the payment, whole, such as the processor's.",
    example: 'order-10',
  })
  search?: string;

  @DateOrInstant({ optional: true, description: 'Created from then on.' })
  dateFrom?: string;

  @DateOrInstant({
    optional: true,
    description: 'Created until that day, inclusive, or before that instant.',
  })
  dateTo?: string;

  @QueryFlag({ optional: true, description: 'Flagged for review, or not.' })
  needsReview?: boolean;

  @OneOf(commissionStatuses, { optional: true })
  status?: CommissionStatus;

  @Uuid({ optional: true })
  participantId?: string;

  @Uuid({ optional: true, description: 'Of partners who are in this group now.' })
  groupId?: string;

  @CurrencyCode({ optional: true })
  currency?: string;

  @Uuid({ optional: true, description: 'Taken by this payout.' })
  payoutId?: string;
}

export class CommissionListQuery extends CommissionFilter {
  @OneOf(commissionSortKeys, { optional: true, description: 'Default createdAt.' })
  sortBy: CommissionSortKey = 'createdAt';

  @OneOf(['asc', 'desc'], { optional: true, description: 'Default desc. Ties are sorted by id.' })
  sortOrder: 'asc' | 'desc' = 'desc';

  @PageNumber()
  page: number = 1;

  @PageLimit()
  limit: number = 20;

  @PageCursor()
  cursor?: string;

  after?: Place;
}

/** The same across programmes. */
export class AllCommissionsFilter extends CommissionFilter {
  @Uuid({ optional: true, description: 'Narrows to one programme.' })
  programId?: string;
}

export class AllCommissionsListQuery extends CommissionListQuery {
  @Uuid({ optional: true, description: 'Narrows to one programme.' })
  programId?: string;
}

/** What a partner can narrow by: nothing that would reveal what only the merchant may know. */
export class PartnerCommissionFilter {
  @Text({
    max: 320,
    optional: true,
    description: 'Part of the programme name or of your own name, in any case, literal.',
  })
  search?: string;

  @Uuid({ optional: true })
  programId?: string;

  @OneOf(commissionStatuses, { optional: true })
  status?: CommissionStatus;

  @CurrencyCode({ optional: true })
  currency?: string;

  @DateOrInstant({ optional: true })
  dateFrom?: string;

  @DateOrInstant({ optional: true })
  dateTo?: string;
}

export class OwnBalancesQuery {
  @Uuid({ optional: true, description: 'Of one programme; without it, of all that you are in.' })
  programId?: string;
}

export class PartnerCommissionListQuery extends PartnerCommissionFilter {
  @OneOf(['createdAt', 'amountCents', 'status'], {
    optional: true,
    description: 'Default createdAt.',
  })
  sortBy: 'createdAt' | 'amountCents' | 'status' = 'createdAt';

  @OneOf(['asc', 'desc'], { optional: true, description: 'Default desc.' })
  sortOrder: 'asc' | 'desc' = 'desc';

  @PageNumber()
  page: number = 1;

  @PageLimit()
  limit: number = 20;

  @PageCursor()
  cursor?: string;

  after?: Place;
}
