import type { Place } from '../../entities/database/list';
import { isUuid } from '../../entities/ids';
import { isZone } from '../../entities/rules/analytics/zone';
import type { Granularity } from '../../entities/rules/analytics/period';
import { isDay } from '../../entities/rules/values/instant';
import {
  CurrencyCode,
  Json,
  OneOf,
  QueryFlag,
  Text,
  Uuid,
  type FieldOptions,
} from '../http/contract/validators';
import { PageCursor, PageLimit, PageNumber } from '../http/contract/pagination';

export const allPrograms = 'all';

function LocalDay(options: FieldOptions): PropertyDecorator {
  return Json({
    ...options,
    schema: { type: 'string', format: 'date' },
    valid: isDay,
    message: 'must be YYYY-MM-DD',
  });
}

/** The days that are asked for, and a part of what there is. */
export class PeriodQuery {
  @LocalDay({ description: 'First local day.', example: '2026-01-01' })
  from!: string;

  @LocalDay({
    description: 'Last local day, inclusive; at most 366 days, may lie in the future.',
    example: '2026-01-31',
  })
  to!: string;

  @Json({
    description: 'IANA name of the time zone whose days are meant; no offsets.',
    example: 'Europe/Berlin',
    schema: { type: 'string', maxLength: 64 },
    valid: isZone,
    message: 'must be the name of an IANA time zone',
  })
  tz!: string;

  @Uuid({
    optional: true,
    description: 'Only what this tracking link brought. Not with promoCode.',
  })
  linkId?: string;

  @Text({
    min: 1,
    max: 255,
    trim: true,
    optional: true,
    description: 'Only conversions that this promo code won, in any case. Not with linkId.',
    example: 'AVA10',
  })
  promoCode?: string;

  @CurrencyCode({
    optional: true,
    description:
      'Currency of revenue where it is one figure. Default: that of the programme, for `all` the one with most revenue.',
  })
  currency?: string;
}

function isProgramOrAll(value: unknown): boolean {
  return value === allPrograms || isUuid(value);
}

/** What every figure of a merchant is asked for. */
export class AnalyticsQuery extends PeriodQuery {
  @Json({
    description: 'Id of a programme, or `all`.',
    example: allPrograms,
    schema: { type: 'string', maxLength: 36 },
    valid: isProgramOrAll,
    message: 'must be a UUID or all',
  })
  programId!: string;

  @Uuid({ optional: true, description: 'Only partners who are in this group now.' })
  groupId?: string;

  @Uuid({ optional: true, description: 'Only this partner of a programme.' })
  participantId?: string;
}

/** What every figure of a partner is asked for. */
export class PartnerAnalyticsQuery extends PeriodQuery {
  @Json({
    optional: true,
    description: 'Of one programme; without it, or with `all`, of all that you are in.',
    example: allPrograms,
    schema: { type: 'string', maxLength: 36 },
    valid: isProgramOrAll,
    message: 'must be a UUID or all',
  })
  programId?: string;
}

export class PartnerTrendQuery extends PartnerAnalyticsQuery {
  @OneOf(['day', 'week'], { description: 'A week begins on its Monday (ISO 8601).' })
  granularity!: Granularity;

  @OneOf(['conversions', 'clicks', 'revenue'])
  metric!: 'conversions' | 'clicks' | 'revenue';
}

export class TrendQuery extends AnalyticsQuery {
  @OneOf(['day', 'week'], { description: 'A week begins on its Monday (ISO 8601).' })
  granularity!: Granularity;

  @OneOf(['conversions', 'clicks', 'revenue'])
  metric!: 'conversions' | 'clicks' | 'revenue';
}

const partnerSortKeys = [
  'attributedRevenue',
  'conversions',
  'clicks',
  'conversionRate',
  'fraudFlagCount',
] as const;
export type PartnerSortKey = (typeof partnerSortKeys)[number];

export class PartnerFilter extends AnalyticsQuery {
  @Text({
    max: 320,
    optional: true,
    description: 'Part of the partner name, in any case, literal.',
    example: 'ava',
  })
  search?: string;

  @QueryFlag({ optional: true, description: 'Only partners with fraud flags in the period.' })
  fraudOnly?: boolean;

  @OneOf(partnerSortKeys, { optional: true, description: 'Default attributedRevenue.' })
  sort: PartnerSortKey = 'attributedRevenue';

  @OneOf(['asc', 'desc'], { optional: true, description: 'Default desc. Ties are sorted by id.' })
  order: 'asc' | 'desc' = 'desc';
}

export class PartnerListQuery extends PartnerFilter {
  @PageNumber()
  page: number = 1;

  @PageLimit()
  pageSize: number = 20;

  @PageCursor()
  cursor?: string;

  after?: Place;
}
