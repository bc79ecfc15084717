import type { FieldProblem } from '../../entities/errors';
import {
  batchOutcomes,
  payoutBatchStatuses,
  type BatchOutcome,
  type PayoutBatchStatus,
} from '../../entities/rules/payouts/batch-status';
import { payoutProviders, type PayoutProviderName } from '../../entities/rules/payouts/providers';
import { typedCode } from '../auth/auth.dto';
import { PageQuery } from '../http/contract/pagination';
import {
  AnyText,
  Flag,
  Instant,
  Int,
  ListOf,
  Nested,
  nullable,
  OneOf,
  Text,
  Uuid,
} from '../http/contract/validators';

export class BatchListQuery extends PageQuery {}

export class ResolveBatchBody {
  @Text({
    min: 1,
    max: 64,
    trim: true,
    optional: true,
    description: 'What the provider calls this batch: it is asked, and has to be this very one.',
    example: '5UXD2E8A7EBQJ',
  })
  providerBatchId?: string;

  @Flag({
    optional: true,
    description: 'Somebody has looked: nothing of it was paid, nor will be.',
  })
  nothingSent?: boolean;

  @Text({
    ...typedCode,
    optional: true,
    description: 'Six digits of your app; needed. No recovery code.',
    example: '123456',
  })
  code?: string;
}

/** One or the other. */
export function problemsOfResolve(body: ResolveBatchBody): FieldProblem[] {
  const { providerBatchId, nothingSent } = body;
  if (providerBatchId !== undefined && !/^[A-Za-z0-9_-]+$/.test(providerBatchId)) {
    return [{ field: 'providerBatchId', message: 'must be an id of letters and digits' }];
  }
  const given = [providerBatchId !== undefined, nothingSent === true].filter(Boolean).length;
  if (given === 1) return [];
  return [{ field: 'body', message: 'give providerBatchId, or nothingSent: true' }];
}

export class BatchOutcomeDto {
  @OneOf(batchOutcomes, { description: 'released: nothing was taken, the items were ready again.' })
  outcome!: BatchOutcome;

  @Int({ min: 0, example: 1 })
  items!: number;

  @Int({ min: 0 })
  amountCents!: number;
}

/** What a provider answered last, without any address. */
export class ProviderAnswerDto {
  @Instant()
  at!: string;

  @Int({ ...nullable, example: 200 })
  httpStatus!: number | null;

  @AnyText(nullable)
  name!: string | null;

  @AnyText(nullable)
  message!: string | null;

  @AnyText(nullable)
  debugId!: string | null;
}

/** Items that were sent to a provider at once. */
export class PayoutBatchDto {
  @Uuid()
  id!: string;

  @OneOf(payoutProviders)
  provider!: PayoutProviderName;

  @OneOf(payoutBatchStatuses, { example: 'taken' })
  status!: PayoutBatchStatus;

  @AnyText({
    description: 'By which the provider knows it when it is told again.',
    example: 'aps-5f2c6d1b',
  })
  senderBatchId!: string;

  @AnyText({ ...nullable, example: '5UXD2E8A7EBQJ' })
  providerBatchId!: string | null;

  @AnyText({ ...nullable, description: "The provider's word of the whole.", example: 'PROCESSING' })
  providerStatus!: string | null;

  @AnyText({ description: 'ISO 4217, lower case.' })
  currency!: string;

  @Int({ min: 1 })
  items!: number;

  @Int({ min: 1 })
  amountCents!: number;

  @ListOf(() => BatchOutcomeDto, { description: 'They sum to the batch at every instant.' })
  outcomes!: BatchOutcomeDto[];

  @Int({ min: 0, example: 1 })
  tries!: number;

  @Instant({ ...nullable, example: '2026-04-01T09:00:00.000Z' })
  firstTryAt!: string | null;

  @Instant({ ...nullable, example: '2026-04-01T09:00:01.000Z' })
  takenAt!: string | null;

  @Nested(() => ProviderAnswerDto, nullable)
  lastAnswer!: ProviderAnswerDto | null;
}
