import type { FieldProblem } from '../../entities/errors';
import { leftOutReasons, type LeftOutReason } from '../../entities/rules/payouts/left-out';
import { payoutProviders, type PayoutProviderName } from '../../entities/rules/payouts/providers';
import { typedCode } from '../auth/auth.dto';
import {
  AnyText,
  CurrencyCode,
  Flag,
  Int,
  ListOf,
  Nested,
  OneOf,
  Text,
  Uuid,
} from '../http/contract/validators';
import { PayoutDto } from '../payouts/payouts.dto';
import { PayoutItemDto } from '../payouts/payout-items.dto';
import { exampleOf } from '../http/contract/example';

export class ExpectedSendDto {
  @Int({ min: 1, max: 10_000 })
  items!: number;

  @Int({ min: 1, example: 980 })
  amountCents!: number;
}

export class SendPayoutBody {
  @OneOf(payoutProviders)
  provider!: PayoutProviderName;

  @CurrencyCode({ optional: true, description: 'Needed where ready items are in several.' })
  currency?: string;

  @Flag({ optional: true, description: 'Tells what would be sent, and changes nothing.' })
  dryRun?: boolean;

  @Nested(() => ExpectedSendDto, {
    optional: true,
    description: 'What a dry run said; needed without dryRun. PAYOUT_CHANGED where it is not that.',
  })
  expected?: ExpectedSendDto;

  @Text({
    ...typedCode,
    optional: true,
    description: 'Six digits of your app; needed without dryRun. No recovery code.',
    example: '123456',
  })
  code?: string;

  @Flag({
    optional: true,
    description: 'Leaves out methods that an import brought and nobody confirmed.',
  })
  requireConfirmed?: boolean;

  @Flag({ optional: true, description: 'Sends items that a file held, too: nobody has paid them.' })
  confirmExported?: boolean;
}

/** Money is sent only as it was seen. */
export function problemsOfSend({ dryRun, expected }: SendPayoutBody): FieldProblem[] {
  if (dryRun === true || expected !== undefined) return [];
  return [{ field: 'expected', message: 'give what a dry run said' }];
}

export class LeftOutItemDto {
  @Uuid()
  itemId!: string;

  @OneOf(leftOutReasons)
  why!: LeftOutReason;
}

export class SendPreviewDto {
  @AnyText({ nullable: true, description: 'ISO 4217, lower case; null: nothing is sent.' })
  currency!: string | null;

  @Int({ min: 0, example: 1 })
  items!: number;

  @Int({ min: 0 })
  amountCents!: number;

  @ListOf(() => LeftOutItemDto, { example: [] })
  leftOut!: LeftOutItemDto[];
}

export class SentPayoutDto extends PayoutDto {
  @ListOf(() => LeftOutItemDto, { example: [] })
  leftOut!: LeftOutItemDto[];
}

export const sentPayoutExample = exampleOf(SentPayoutDto, {
  items: [
    exampleOf(PayoutItemDto, {
      status: 'sending',
      provider: 'paypal',
      batchId: '0198c0de-7200-7000-8000-000000000072',
      sentAt: '2026-04-01T09:00:00.000Z',
    }),
  ],
});
