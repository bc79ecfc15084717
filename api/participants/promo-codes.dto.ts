import { validationError } from '../../entities/errors';
import { billers, type Biller } from '../../entities/rules/billing/biller';
import {
  billerCodeStatuses,
  maxDiscountMonths,
  maxPercentOffBps,
  type BillerCodeStatus,
  type CodeDiscount,
} from '../../entities/rules/billing/codes';
import { present } from '../http/contract/present';
import {
  absent,
  AnyText,
  CurrencyCode,
  Instant,
  Int,
  ListOf,
  Nested,
  OneOf,
} from '../http/contract/validators';
import { ParticipantDto, PromoCodeBody } from './participants.dto';
import type { CodeAtBiller, PromoCodeRow } from './promo-codes.queries';

const maxAmountCents = 1_000_000_000;
const monthsField = {
  min: 0,
  max: maxDiscountMonths,
  description: 'Of a subscription: null once, 0 for ever.',
} as const;

/** What a code takes off: `percentOffBps`, or `amountOffCents` with its `currency`. */
export class DiscountBody {
  @Int({ ...absent, min: 1, max: maxPercentOffBps, description: '1000 is 10 %.', example: 1000 })
  percentOffBps?: number | null;

  @Int({ ...absent, min: 1, max: maxAmountCents, description: 'Minor units.' })
  amountOffCents?: number | null;

  @CurrencyCode(absent)
  currency?: string | null;

  @Int({ ...absent, ...monthsField })
  months?: number | null;
}

export class NewPromoCodeBody extends PromoCodeBody {
  @Nested(() => DiscountBody, {
    ...absent,
    description: 'Has the code made at each biller that is connected.',
  })
  discount?: DiscountBody | null;
}

export class DiscountDto {
  @Int({ optional: true, min: 1, max: maxPercentOffBps, example: 1000 })
  percentOffBps?: number;

  @Int({ optional: true, min: 1, max: maxAmountCents, description: 'Minor units.' })
  amountOffCents?: number;

  @CurrencyCode({ optional: true, example: undefined })
  currency?: string;

  @Int({ ...monthsField, nullable: true, example: 3 })
  months!: number | null;
}

/** What became of a code at a biller. */
export class CodeAtBillerDto implements CodeAtBiller {
  @OneOf(billers, { example: 'polar' })
  biller!: Biller;

  @OneOf(billerCodeStatuses, { example: 'made' })
  status!: BillerCodeStatus;

  @AnyText({
    nullable: true,
    description: "The biller's id of it.",
    example: '0198c0de-9000-7000-8000-000000000001',
  })
  externalId!: string | null;

  @AnyText({ nullable: true, description: 'Why it failed, or what to know of it.' })
  message!: string | null;
}

export class PromoCodeDto {
  @AnyText({ example: 'SUMMER24' })
  code!: string;

  @Nested(() => DiscountDto, { nullable: true })
  discount!: DiscountDto | null;

  @ListOf(() => CodeAtBillerDto)
  billers!: CodeAtBillerDto[];

  @Instant()
  createdAt!: string;
}

export function presentPromoCode(row: PromoCodeRow): PromoCodeDto {
  return present(PromoCodeDto, row);
}

export class ParticipantWithCodeDto extends ParticipantDto {
  @Nested(() => PromoCodeDto)
  promoCode!: PromoCodeDto;
}

/** The discount that was asked for. VALIDATION_ERROR names the field that is missing or too much. */
export function discountOf(body: DiscountBody | null | undefined): CodeDiscount | undefined {
  if (!body) return undefined;
  const { percentOffBps, months } = body;
  const amount = amountOf(body);
  if (isGiven(percentOffBps) === (amount !== undefined)) {
    throw validationError('discount', 'give percentOffBps, or amountOffCents with currency');
  }
  const recurrence = { months: months ?? null };
  return amount
    ? { ...amount, ...recurrence }
    : { percentOffBps: percentOffBps ?? 0, ...recurrence };
}

function amountOf({ amountOffCents, currency }: DiscountBody) {
  if (isGiven(amountOffCents) !== isGiven(currency)) {
    throw validationError('discount.currency', 'goes with amountOffCents');
  }
  return isGiven(amountOffCents) && isGiven(currency) ? { amountOffCents, currency } : undefined;
}

function isGiven<T>(value: T | null | undefined): value is T {
  return value !== null && value !== undefined;
}
