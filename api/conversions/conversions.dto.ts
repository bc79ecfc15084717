import {
  attributionReasons,
  conversionSources,
  matchKinds,
  type AttributionReason,
  type ConversionSource,
  type MatchKind,
} from '../../entities/rules/attribution/attribute';
import {
  isConversionMetadata,
  maxConversionItems,
  maxEventTypeLength,
  maxMetadataKeys,
  maxTransactionIdLength,
  type ConversionMetadata,
} from '../../entities/rules/attribution/conversion';
import { maxAmountCents } from '../../entities/rules/programs/terms';
import type { ConversionRefund } from '../../entities/tables/conversions/conversion-refund.entity';
import { maxBytes } from '../http/contract/body/body';
import { PageQuery } from '../http/contract/pagination';
import {
  AnyText,
  CurrencyCode,
  DateOrInstant,
  Instant,
  Int,
  Json,
  ListOf,
  Nested,
  OneOf,
  QueryFlag,
  Text,
  ToldCustomerId,
  ToldEmail,
  untold,
  Uuid,
} from '../http/contract/validators';
import {
  EventAttributionDto,
  EventCommissionSummaryDto,
  EventConversionDto,
} from './event-conversion.dto';

/** A signal is never refused for its shape, only for its JSON type: as long as a body may be. */
export const signal = { max: maxBytes, trim: true, ...untold };

const metadataSchema = {
  type: 'object',
  maxProperties: maxMetadataKeys,
  additionalProperties: {
    oneOf: [{ type: 'string', nullable: true }, { type: 'number' }, { type: 'boolean' }],
  },
};

const ofItem = { trim: true, max: 255 } as const;

export class ConversionItemBody {
  @Text({ ...ofItem, min: 1, example: 'prod_tea' })
  product_id!: string;

  @Text({ ...ofItem, ...untold, example: 'price_monthly' })
  price_id?: string | null;

  @Int({ min: 0, max: maxAmountCents, ...untold, example: 4900 })
  amount_cents?: number | null;

  @Int({ min: 0, max: 1_000_000_000, ...untold, example: 1 })
  quantity?: number | null;
}

export class ConversionBody {
  @Text({
    min: 1,
    max: maxTransactionIdLength,
    description:
      "Your id of the payment; it can be reported once, for ever. Where Stripe is connected give Stripe's id (pi_, in_, cs_, ch_): both reports are one sale then.",
    example: 'order_1001',
  })
  external_transaction_id!: string;

  @Text({ min: 1, max: maxEventTypeLength, example: 'purchase' })
  event_type!: string;

  @Text({
    ...signal,
    description: 'The click, as the browser snippet stored it. An unknown one is no error.',
    example: '01890a5d-ac96-774b-bcce-b302099a8057',
  })
  click_id?: string | null;

  @Text({
    ...signal,
    description: "A partner's promo code, in any case. An unknown one is no error.",
    example: 'ANNA10',
  })
  promo_code?: string | null;

  @Int({
    min: 0,
    max: maxAmountCents,
    ...untold,
    description: 'In minor units of the currency. Default 0.',
    example: 4900,
  })
  amount_cents?: number | null;

  @CurrencyCode({ ...untold, description: 'Required when amount_cents is more than 0.' })
  currency?: string | null;

  @Instant({
    ...untold,
    description: 'When the purchase happened; default now. At most 5 minutes ahead.',
    example: '2026-01-31T09:30:00.000Z',
  })
  occurred_at?: string | null;

  @ToldEmail({
    ...untold,
    description:
      "The buyer's address. Only a keyed hash of it is kept; one that is no address is not compared.",
    example: 'buyer@example.com',
  })
  prospect_email?: string | null;

  @ToldCustomerId({
    ...untold,
    description:
      'Your id of the buyer. What programs write for none (null, guest, 0) names nobody.',
    example: 'cus_42',
  })
  customer_id?: string | null;

  @Json({
    ...untold,
    schema: metadataSchema,
    valid: isConversionMetadata,
    message:
      `must be a flat object of at most ${maxMetadataKeys} texts (500 characters), numbers, ` +
      'booleans and nulls under names of 1 to 40 characters, 8 KiB in all',
    description: 'Anything of yours, given back as it came.',
    example: { plan: 'pro', seats: 3 },
  })
  metadata?: ConversionMetadata | null;

  @ListOf(() => ConversionItemBody, {
    max: maxConversionItems,
    ...untold,
    description: 'What was sold: shown with the sale, and not added up. An empty list is none.',
  })
  items?: ConversionItemBody[] | null;
}

export class AttributionDto extends EventAttributionDto {
  @OneOf(attributionReasons, { description: 'Stable; ATTRIBUTED exactly when attributed is true.' })
  override reason!: AttributionReason;

  @AnyText({ description: 'A sentence for people.' })
  override explanation!: string;

  @OneOf(matchKinds, {
    nullable: true,
    description: 'The signal that decided, when it was found.',
  })
  override matched_by!: MatchKind | null;

  @Instant({
    nullable: true,
    description: "End of the click's window, inclusive; null for a code.",
  })
  override window_ends_at!: string | null;
}

export class ConversionCommissionDto extends EventCommissionSummaryDto {
  @Int({ min: 0, description: 'What is due now, in minor units.' })
  override amount_cents!: number;

  @AnyText({ example: 'usd' })
  override currency!: string;
}

export class ConversionDto extends EventConversionDto {
  @Nested(() => AttributionDto)
  override attribution!: AttributionDto;

  @Nested(() => ConversionCommissionDto, { nullable: true })
  override commission!: ConversionCommissionDto | null;

  @AnyText({ nullable: true, example: 'usd' })
  override currency!: string | null;

  @Json({ nullable: true, schema: metadataSchema, example: { plan: 'pro', seats: 3 } })
  override metadata!: ConversionMetadata | null;

  @OneOf(conversionSources, { description: 'Who reported it first.' })
  override source!: ConversionSource;

  @Int({ min: 0, description: 'What of amount_cents was given back.' })
  override refunded_amount_cents!: number;
}

export class ConversionFilter extends PageQuery {
  @Text({
    max: 1_000,
    optional: true,
    description: 'Your id of the payment, or any id of the processor for it.',
  })
  external_transaction_id?: string;

  @QueryFlag({ optional: true })
  attributed?: boolean;

  @Text({ max: 1_000, optional: true })
  event_type?: string;

  @DateOrInstant({ optional: true })
  dateFrom?: string;

  @DateOrInstant({ optional: true })
  dateTo?: string;
}

export class RefundBody {
  @Int({
    min: 1,
    max: maxAmountCents,
    ...untold,
    description: 'In minor units of the conversion; all that is left when it is omitted.',
    example: 1900,
  })
  amount_cents?: number | null;

  @Text({
    min: 1,
    max: 255,
    description: 'Your id of the refund; a repeat answers the first one.',
    example: 'refund_77',
  })
  external_refund_id!: string;

  @Text({
    max: 500,
    ...untold,
    example: 'Returned by the customer',
    description: 'Kept for ever, no erasure looks into it: no names of persons.',
  })
  reason?: string | null;
}

export class RefundDto {
  @Uuid()
  id!: string;

  @Uuid()
  conversion_id!: string;

  @AnyText({ example: 'refund_77' })
  external_refund_id!: string;

  @Int({ min: 1, example: 1900 })
  amount_cents!: number;

  @AnyText({ nullable: true, example: 'Returned by the customer' })
  reason!: string | null;

  @Instant()
  created_at!: string;
}

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
