import { bindingSources, maxCustomerIdLength } from '../../entities/rules/customers/binding';
import { AttributionDto, signal } from '../conversions/conversions.dto';
import { PageQuery } from '../http/contract/pagination';
import {
  AnyText,
  CurrencyCode,
  CustomerAliases,
  CustomerId,
  Flag,
  Instant,
  Int,
  ListOf,
  Nested,
  OneOf,
  Text,
  Texts,
  ToldEmail,
  untold,
  Uuid,
} from '../http/contract/validators';

export class CustomerBody {
  @CustomerId({
    description: 'Your id of the customer, as later reports name it.',
    example: 'user_42',
  })
  customer_id!: string;

  @Text({
    ...signal,
    description: 'The click, as the browser snippet stored it.',
    example: '01890a5d-9f00-7c3e-8a2b-1f2e3d4c5b6a',
  })
  click_id?: string | null;

  @Text({ ...signal, example: 'ANNA10' })
  promo_code?: string | null;

  @CustomerAliases({
    ...untold,
    description: "Further ids of the same customer, such as the processor's.",
    example: ['cus_42'],
  })
  aliases?: string[] | null;

  @Instant({
    ...untold,
    description: 'When they signed up; default now. At most 5 minutes ahead.',
    example: '2026-01-31T09:30:00.000Z',
  })
  occurred_at?: string | null;

  @ToldEmail({
    ...untold,
    description: 'Their address, for the fraud rules; nothing of it is kept.',
    example: 'buyer@example.com',
  })
  prospect_email?: string | null;
}

export class SignedUpCustomerDto {
  @Uuid({
    nullable: true,
    description: 'Null when nobody is credited.',
    example: '01890a5d-ac96-774b-bcce-b302099a8099',
  })
  id!: string | null;

  @AnyText({ example: 'user_42' })
  customer_id!: string;

  @Texts({ length: maxCustomerIdLength, example: ['cus_42'] })
  aliases!: string[];

  @Flag({ description: 'Whether a partner has brought them.' })
  attributed!: boolean;

  @Nested(() => AttributionDto, { description: 'Of the sign-up or sale that bound them.' })
  attribution!: AttributionDto;

  @OneOf(bindingSources, { description: 'What bound them.' })
  source!: string;

  @Instant({ nullable: true })
  bound_at!: string | null;

  @Instant({ nullable: true, description: 'Their first attributed payment.' })
  first_paid_at!: string | null;

  @OneOf(['test', 'live'], { example: 'test' })
  mode!: string;

  @Instant()
  created_at!: string;
}

export class CustomerRevenueDto {
  @CurrencyCode()
  currency!: string;

  @Int({ description: 'In minor units, net of refunds.', example: 4900 })
  amount_cents!: number;
}

export class CustomerBindingDto {
  @Uuid()
  participant_id!: string;

  @Instant({
    nullable: true,
    description: 'Null: whatever they paid before, too.',
    example: '2026-01-31T09:30:00.000Z',
  })
  from!: string | null;

  @Instant({ nullable: true, description: 'Null: until now.' })
  until!: string | null;

  @OneOf(bindingSources, { description: 'What bound them.' })
  source!: string;
}

export class CustomerDto extends SignedUpCustomerDto {
  @Uuid()
  override id!: string;

  @Instant()
  override bound_at!: string;

  @Uuid()
  participant_id!: string;

  @Uuid()
  program_id!: string;

  @AnyText()
  partner_name!: string;

  @Int({ min: 0, description: 'Attributed ones.', example: 1 })
  conversions!: number;

  @ListOf(() => CustomerRevenueDto)
  revenue!: CustomerRevenueDto[];

  @ListOf(() => CustomerBindingDto, { description: 'Whose they were when, oldest first.' })
  bindings!: CustomerBindingDto[];
}

export class CustomerQuery extends PageQuery {
  @Uuid({ optional: true })
  participant_id?: string;

  @Uuid({ optional: true })
  program_id?: string;

  @OneOf(bindingSources, { optional: true })
  source?: (typeof bindingSources)[number];
}
