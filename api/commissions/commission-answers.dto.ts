import { commissionStatuses, type CommissionStatus } from '../../entities/rules/commissions/status';
import { ErrorDto } from '../http/contract/error-envelope';
import { AnyText, Flag, Int, ListOf, Nested, OneOf, Uuid } from '../http/contract/validators';

export class CommissionAmountDto {
  @AnyText({ description: 'ISO 4217, lower case.' })
  currency!: string;

  @Int({ description: 'Minor units.', example: 1960 })
  amountCents!: number;
}

export class StatusStatsDto {
  @Int({ min: 0 })
  count!: number;

  @ListOf(() => CommissionAmountDto, { example: [] })
  amounts!: CommissionAmountDto[];
}

export class StatusBreakdownDto {
  @Nested(() => StatusStatsDto)
  pending!: StatusStatsDto;

  @Nested(() => StatusStatsDto)
  approved!: StatusStatsDto;

  @Nested(() => StatusStatsDto)
  rejected!: StatusStatsDto;

  @Nested(() => StatusStatsDto)
  paid!: StatusStatsDto;

  @Nested(() => StatusStatsDto)
  refunded!: StatusStatsDto;
}

export class CommissionStatsDto {
  @Int({ min: 0, example: 3 })
  count!: number;

  @Int({ min: 0, example: 1 })
  needsReviewCount!: number;

  @Nested(() => StatusBreakdownDto)
  byStatus!: StatusBreakdownDto;

  @ListOf(() => CommissionAmountDto, { description: 'Sums of amountCents over the whole filter.' })
  totals!: CommissionAmountDto[];
}

export class BulkItemDto {
  @Uuid()
  commissionId!: string;

  @Flag()
  ok!: boolean;

  @OneOf(commissionStatuses, {
    optional: true,
    description: 'After the command.',
    example: 'approved',
  })
  status?: CommissionStatus;

  @AnyText({ optional: true, description: 'The code of the single operation.' })
  code?: string;

  @AnyText({ optional: true })
  message?: string;
}

export class BulkResultDto {
  @Int({ min: 0, example: 1 })
  succeeded!: number;

  @Int({ min: 0 })
  failed!: number;

  @ListOf(() => BulkItemDto, { description: 'In the order of the request.' })
  results!: BulkItemDto[];
}

export class BulkAllFailedDto extends ErrorDto {
  @OneOf(['BULK_ALL_FAILED'])
  declare code: 'BULK_ALL_FAILED';

  @ListOf(() => BulkItemDto, { optional: true, description: 'With BULK_ALL_FAILED.' })
  results?: BulkItemDto[];
}
