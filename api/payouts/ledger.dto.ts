import {
  ledgerEntryTypes,
  type LedgerEntryType,
} from '../../entities/rules/commissions/settlement';
import { PageQuery } from '../http/contract/pagination';
import {
  AnyText,
  CurrencyCode,
  fieldsOf,
  DateOrInstant,
  Instant,
  Int,
  OneOf,
  Text,
  Uuid,
} from '../http/contract/validators';
import { exampleOf } from '../http/contract/example';

export const ledgerPath = '/api/v1/ledger';

export class LedgerQuery extends PageQuery {
  @DateOrInstant({
    optional: true,
    description: 'Booked on that day (UTC) or later, or at that instant or later.',
  })
  from?: string;

  @DateOrInstant({
    optional: true,
    description: 'Booked on that day (UTC) or before, or before that instant.',
  })
  to?: string;

  @Uuid({ optional: true, description: 'Narrows to one programme.' })
  programId?: string;

  @Uuid({ optional: true })
  participantId?: string;

  @Uuid({ optional: true })
  commissionId?: string;

  @Text({
    max: 255,
    optional: true,
    pattern: new RegExp(
      `^(?:${ledgerEntryTypes.join('|')})(?:,(?:${ledgerEntryTypes.join('|')}))*$`,
    ),
    description: `One type or several, joined by commas: ${ledgerEntryTypes.join(', ')}.`,
    example: 'payout,payout_reversal',
  })
  type?: string;

  @CurrencyCode({ optional: true })
  currency?: string;

  @OneOf(['json', 'csv'], {
    optional: true,
    description: 'csv is all that the filters leave, in one file; json (default) a page of it.',
  })
  format: 'json' | 'csv' = 'json';
}

export class LedgerRowDto {
  @Uuid()
  id!: string;

  @Instant()
  createdAt!: string;

  @OneOf(ledgerEntryTypes, { example: 'payout' })
  type!: LedgerEntryType;

  @Int({ description: 'Signed, minor units: what is owed grows by it.', example: -980 })
  amountCents!: number;

  @AnyText({ description: 'ISO 4217, lower case.' })
  currency!: string;

  @Uuid()
  programId!: string;

  @Uuid()
  participantId!: string;

  @AnyText()
  partnerName!: string;

  @Uuid()
  commissionId!: string;

  @Uuid({ nullable: true, example: '0198c0de-7000-7000-8000-000000000007' })
  payoutId!: string | null;

  @AnyText({ nullable: true, description: 'Of an adjustment, a rejection or a return.' })
  reason!: string | null;
}

export const ledgerColumns = [...fieldsOf(LedgerRowDto).keys()];

export const ledgerCsvExample = `${ledgerColumns.join(',')}\r\n${Object.values(exampleOf(LedgerRowDto)).join(',')}\r\n`;
