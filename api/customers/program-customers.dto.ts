import { bindingSources, maxCustomerIdLength } from '../../entities/rules/customers/binding';
import { PageQuery } from '../http/contract/pagination';
import {
  AnyText,
  CurrencyCode,
  Instant,
  Int,
  ListOf,
  OneOf,
  Text,
  Texts,
  Uuid,
} from '../http/contract/validators';

export class ProgramCustomerRevenueDto {
  @CurrencyCode()
  currency!: string;

  @Int({ description: 'In minor units, net of refunds.' })
  amountCents!: number;
}

export class ProgramCustomerBindingDto {
  @Uuid()
  participantId!: string;

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

  @AnyText()
  partnerName!: string;

  @AnyText({ nullable: true, description: 'Why a member bound them, in their words.' })
  reason!: string | null;
}

export class ProgramCustomerDto {
  @Uuid()
  id!: string;

  @AnyText({ description: "The merchant's id of them, or Stripe's." })
  customerId!: string;

  @Texts({ length: maxCustomerIdLength, example: ['cus_42'] })
  aliases!: string[];

  @Uuid()
  participantId!: string;

  @AnyText()
  partnerName!: string;

  @OneOf(bindingSources, { description: 'What bound them to the partner.' })
  source!: string;

  @Instant()
  boundAt!: string;

  @Instant({ nullable: true, description: 'Their first attributed payment.' })
  firstPaidAt!: string | null;

  @Int({ min: 0, description: 'Attributed ones.', example: 0 })
  conversions!: number;

  @ListOf(() => ProgramCustomerRevenueDto, { example: [] })
  revenue!: ProgramCustomerRevenueDto[];

  @ListOf(() => ProgramCustomerBindingDto, { description: 'Whose they were when, oldest first.' })
  bindings!: ProgramCustomerBindingDto[];
}

export class ProgramCustomerQuery extends PageQuery {
  @Uuid({ optional: true })
  participantId?: string;

  @Text({
    max: maxCustomerIdLength,
    trim: true,
    optional: true,
    description: 'Any id of theirs, exactly.',
  })
  customerId?: string;

  @OneOf(bindingSources, { optional: true })
  source?: (typeof bindingSources)[number];
}

export class BindCustomerBody {
  @Uuid()
  participantId!: string;

  @Text({ min: 1, max: 500, trim: true, example: 'Told us on the phone who sent them' })
  reason!: string;
}
