import { billers, type Biller } from '../../entities/rules/billing/biller';
import { billerCodeStatuses, type BillerCodeStatus } from '../../entities/rules/billing/codes';
import { AnyText, ListOf, Nested, OneOf } from '../http/contract/validators';
import { DiscountDto } from '../participants/promo-codes.dto';

/** Where a code works; why it does not is the merchant's to read. */
export class OwnCodeAtBillerDto {
  @OneOf(billers, { example: 'polar' })
  biller!: Biller;

  @OneOf(billerCodeStatuses, { example: 'made' })
  status!: BillerCodeStatus;
}

export class OwnCodeDto {
  @AnyText({ example: 'SUMMER24' })
  code!: string;

  @Nested(() => DiscountDto, { nullable: true })
  discount!: DiscountDto | null;

  @ListOf(() => OwnCodeAtBillerDto)
  billers!: OwnCodeAtBillerDto[];
}
