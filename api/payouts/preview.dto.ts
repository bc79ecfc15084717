import type { PayoutPreview } from '../../activities/payouts/preview';
import { leftOutReasons, type LeftOutReason } from '../../entities/rules/payouts/preview';
import { present } from '../http/contract/present';
import { AnyText, Instant, Int, ListOf, Nested, OneOf, Uuid } from '../http/contract/validators';
import { ItemMethodDto } from './payout-items.dto';
import { CurrencyTotalDto } from './payouts.dto';

class OfPartnerDto {
  @Uuid()
  participantId!: string;

  @AnyText()
  partnerName!: string;

  @AnyText({ description: 'ISO 4217, lower case.' })
  currency!: string;
}

export class PreviewedItemDto extends OfPartnerDto {
  @Int({ min: 1, description: 'Minor units, debts netted.' })
  amountCents!: number;

  @Int({ min: 1, description: 'Those paid, and those whose overpayment is netted.' })
  commissionCount!: number;

  @Nested(() => ItemMethodDto, { nullable: true, description: 'As of now; the payout pins it.' })
  method!: ItemMethodDto | null;
}

export class LeftOutDto extends OfPartnerDto {
  @Int({
    description:
      'What is due with debts netted, negative for a debt; or what is disputed, or in doubt.',
    example: -250,
  })
  amountCents!: number;

  @OneOf(leftOutReasons)
  why!: LeftOutReason;
}

export class PayoutPreviewDto {
  @ListOf(() => PreviewedItemDto, { description: 'One a partner and currency.' })
  items!: PreviewedItemDto[];

  @ListOf(() => CurrencyTotalDto, { description: 'What the items come to; give it as `expected`.' })
  totals!: CurrencyTotalDto[];

  @ListOf(() => LeftOutDto)
  leftOut!: LeftOutDto[];

  @Int({ min: 0, description: 'Commissions that would be left for the next payout.' })
  remaining!: number;

  @Instant({ description: 'As asked, or now; give it to the payout.' })
  until!: string;
}

export function presentPreview(preview: PayoutPreview, until: Date): PayoutPreviewDto {
  const items = preview.items.map((item) =>
    present(PreviewedItemDto, { ...item, commissionCount: item.lines.length }),
  );
  return present(PayoutPreviewDto, { ...preview, items, until });
}
