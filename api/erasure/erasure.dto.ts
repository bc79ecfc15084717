import type { FieldProblem } from '../../entities/errors';
import {
  confirmationPhrase,
  receiptKinds,
  type ReceiptKind,
} from '../../entities/rules/erasure/erasure';
import {
  AnyText,
  Email,
  Instant,
  Int,
  ListOf,
  OneOf,
  Text,
  Uuid,
} from '../http/contract/validators';
import { PageQuery } from '../http/contract/pagination';

export class ErasureBody {
  @OneOf([confirmationPhrase], {
    description: 'Typed by a person; anything else is CONFIRMATION_INVALID.',
  })
  confirmation!: string;
}

/** The phrase missing or wrong has its own code, also beside fields that are not known. */
export const confirmationCodes = [['confirmation', 'CONFIRMATION_INVALID']] as const;

export class ErasureDto {
  @Instant({ description: 'From when on the data counts as erased.' })
  erased_at!: string;
}

export class InviteErasureBody {
  @Email({ description: 'Invites to this address.', example: 'pat@example.com' })
  partnerEmail!: string;

  @Uuid({ description: 'Invites that this partner accepted.' })
  partnerGpaId!: string;
}

export class CustomerErasureBody {
  @Text({
    min: 1,
    max: 255,
    trim: true,
    optional: true,
    description: 'As you reported it; also an alias of it.',
    example: 'cus_42',
  })
  customerId?: string;

  @Email({ optional: true, description: 'As you reported it.', example: 'buyer@example.com' })
  email?: string;
}

/** One of the two says who it is. */
export function customerProblems({ customerId, email }: CustomerErasureBody): FieldProblem[] {
  return customerId === undefined && email === undefined
    ? [{ field: 'body', message: 'customerId or email is required' }]
    : [];
}

export class CustomerErasureDto {
  @Instant()
  erased_at!: string;

  @Int({ min: 0, description: 'Conversions changed; 0 when it was done before.', example: 3 })
  conversions!: number;
}

export class ReceiptChangeDto {
  @AnyText({
    description:
      'A table of the service; followed by `(unreadable)` for rows that could not be decrypted and were left.',
    example: 'clicks',
  })
  table!: string;

  @Int({ min: 0, description: 'Rows changed or deleted.', example: 120 })
  rows!: number;
}

export class OpenBalanceDto {
  @AnyText({ description: 'ISO 4217, lower case.', example: 'eur' })
  currency!: string;

  @Int({ description: 'Not decided yet.', example: 2000 })
  pendingCents!: number;

  @Int({ description: 'Approved and not paid; negative when too much was paid.', example: 30_000 })
  approvedCents!: number;
}

export class ReceiptDto {
  @Uuid()
  id!: string;

  @OneOf(receiptKinds, { description: 'What was asked for.', example: 'participant' })
  kind!: ReceiptKind;

  @Uuid({
    nullable: true,
    description: 'Null for invites and buyers.',
  })
  programId!: string | null;

  @Uuid({
    nullable: true,
    description: 'Null for invites and buyers.',
  })
  participantId!: string | null;

  @Instant()
  erased_at!: string;

  @Instant({
    nullable: true,
    description: 'When every copy was clean; null until then.',
    example: '2026-01-31T09:30:34.000Z',
  })
  completedAt!: string | null;

  @ListOf(() => ReceiptChangeDto)
  changes!: ReceiptChangeDto[];

  @ListOf(() => OpenBalanceDto, { description: 'What was not paid yet when it was erased.' })
  openBalances!: OpenBalanceDto[];
}

export class ReceiptQuery extends PageQuery {
  @Uuid({ optional: true, description: 'Narrows to one participant.' })
  participantId?: string;
}

export interface ReceiptRow {
  id: string;
  kind: ReceiptKind;
  programId: string | null;
  participantId: string | null;
  erasedAt: Date;
  completedAt: Date | null;
  changes: Record<string, number>;
  openBalances: OpenBalanceDto[];
}

export function presentReceipt(row: ReceiptRow): ReceiptDto {
  return {
    id: row.id,
    kind: row.kind,
    programId: row.programId,
    participantId: row.participantId,
    erased_at: row.erasedAt.toISOString(),
    completedAt: row.completedAt?.toISOString() ?? null,
    changes: Object.entries(row.changes)
      .map(([table, rows]) => ({ table, rows }))
      .sort((a, b) => (a.table < b.table ? -1 : 1)),
    openBalances: row.openBalances,
  };
}
