import type { WorkspaceRecord } from '../../activities/workspace/workspace';
import { maxTypedPassword, typedCode } from '../auth/auth.dto';
import type { FieldProblem } from '../../entities/errors';
import { payoutApprovals, type PayoutApproval } from '../../entities/rules/payouts/providers';
import { confirmationPhrase } from '../../entities/rules/erasure/erasure';
import {
  AnyText,
  CurrencyCode,
  Email,
  Flag,
  Instant,
  Int,
  ListOf,
  Name,
  OneOf,
  Text,
  Uuid,
} from '../http/contract/validators';

/** How much of a currency providers may send within 24 hours, in each mode. */
export class DailyLimitDto {
  @CurrencyCode()
  currency!: string;

  @Int({ min: 0, max: 1_000_000_000_000, example: 500_000 })
  amountCents!: number;
}

export class UpdateWorkspaceBody {
  @Name({ optional: true, example: 'Acme Shop' })
  name?: string;

  @Email({
    optional: true,
    nullable: true,
    description:
      "Where mails of test mode go: a member's confirmed address, until that member leaves; null: nowhere, the notification log keeps them.",
    example: 'dev@example.com',
  })
  testEmailRedirect?: string | null;

  @Flag({
    optional: true,
    description:
      'Members without a second factor get 403 outside of their own account. Owners only.',
  })
  requireTwoFactor?: boolean;

  @ListOf(() => DailyLimitDto, {
    optional: true,
    max: 200,
    description:
      'What payouts sent by a provider may come to within 24 hours, for each mode; a currency that is not named is not sent. Owners only, with `code`.',
  })
  payoutDailyLimits?: DailyLimitDto[];

  @OneOf(payoutApprovals, {
    optional: true,
    description:
      'two: who made a payout, or the key that did, may not send it. Owners only, with `code`.',
  })
  payoutApproval?: PayoutApproval;

  @Text({
    ...typedCode,
    optional: true,
    description: 'Six digits of your app, for the limits and the approval. No recovery code.',
    example: '123456',
  })
  code?: string;
}

/** Each currency once. */
export function problemsOfLimits({ payoutDailyLimits = [] }: UpdateWorkspaceBody): FieldProblem[] {
  const seen = new Set<string>();
  return payoutDailyLimits.flatMap(({ currency }, place) => {
    const isKnown = seen.has(currency);
    seen.add(currency);
    const field = `payoutDailyLimits[${place}].currency`;
    return isKnown ? [{ field, message: 'must be named once' }] : [];
  });
}

export class WorkspaceDto {
  @Uuid()
  id!: string;

  @AnyText({ example: 'Acme Shop' })
  name!: string;

  @AnyText({ nullable: true })
  testEmailRedirect!: string | null;

  @Flag()
  requireTwoFactor!: boolean;

  @ListOf(() => DailyLimitDto, { description: 'What providers may send within 24 hours.' })
  payoutDailyLimits!: DailyLimitDto[];

  @OneOf(payoutApprovals)
  payoutApproval!: PayoutApproval;

  @Instant()
  createdAt!: string;

  @Instant()
  updatedAt!: string;

  @Instant({
    nullable: true,
    description:
      'When the workspace is closed, its data deleted. Null unless an owner asked for it.',
  })
  closesAt!: string | null;
}

export class CloseWorkspaceBody {
  @OneOf([confirmationPhrase], {
    description: 'Typed by a person; anything else is CONFIRMATION_INVALID.',
  })
  confirmation!: string;

  @Text({ max: maxTypedPassword, description: 'Your own, once more.', example: 'a long password' })
  password!: string;
}

export function presentWorkspace(record: WorkspaceRecord): WorkspaceDto {
  return {
    id: record.id,
    name: record.name,
    testEmailRedirect: record.testEmailRedirect,
    requireTwoFactor: record.requireTwoFactor,
    payoutDailyLimits: record.payoutDailyLimits,
    payoutApproval: record.payoutApproval,
    createdAt: record.createdAt.toISOString(),
    updatedAt: record.updatedAt.toISOString(),
    closesAt: record.closesAt?.toISOString() ?? null,
  };
}
