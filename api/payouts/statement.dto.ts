import {
  ledgerEntryTypes,
  type LedgerEntryType,
} from '../../entities/rules/commissions/settlement';
import { PageQuery } from '../http/contract/pagination';
import { present } from '../http/contract/present';
import {
  AnyText,
  CurrencyCode,
  Instant,
  Int,
  Nested,
  OneOf,
  QueryInt,
  Text,
  Uuid,
} from '../http/contract/validators';

const statementFigures = ['paid', 'returned', 'adjusted'] as const;
type StatementFigure = (typeof statementFigures)[number];

export const statementPath = '/api/v1/payouts/statement';

export class StatementQuery extends PageQuery {
  @QueryInt({ min: 2000, max: 2099, description: 'In UTC.', example: 2026 })
  year!: number;

  @OneOf(['json', 'csv'], {
    optional: true,
    description: 'csv is the whole year in one file, json (default) a page of it.',
  })
  format: 'json' | 'csv' = 'json';

  @Uuid({ optional: true, description: 'Narrows to one programme.' })
  programId?: string;
}

export class StatementEntriesQuery extends PageQuery {
  @Uuid({ optional: true, description: 'For keys that are bound to a programme.' })
  programId?: string;

  @Uuid()
  participantId!: string;

  @Text({
    min: 7,
    max: 7,
    pattern: /^20\d\d-(?:0[1-9]|1[0-2])$/,
    description: '`YYYY-MM`, in UTC.',
    example: '2026-03',
  })
  month!: string;

  @CurrencyCode({ optional: true })
  currency?: string;

  @OneOf(statementFigures, { optional: true, description: 'The entries of one figure.' })
  figure?: StatementFigure;
}

/** Where the entries of each figure are listed. */
export class StatementLinksDto {
  @AnyText()
  paid!: string;

  @AnyText()
  returned!: string;

  @AnyText()
  adjusted!: string;
}

export class StatementRowDto {
  @Uuid()
  participantId!: string;

  @AnyText()
  partnerName!: string;

  @AnyText()
  partnerEmail!: string;

  @Uuid()
  programId!: string;

  @AnyText({ description: '`YYYY-MM`, in UTC.' })
  month!: string;

  @AnyText({ description: 'ISO 4217, lower case.' })
  currency!: string;

  @Int({ min: 0, description: 'Paid in that month, minor units; the entries are negative.' })
  paidCents!: number;

  @Int({ min: 0, description: 'Came back in that month, whenever it was paid.' })
  returnedCents!: number;

  @Int({ description: 'Signed: adjustments, without those that were undone.' })
  adjustedCents!: number;

  @Nested(() => StatementLinksDto, {
    description: 'Paths that list the ledger entries whose sum each figure is.',
  })
  entries!: StatementLinksDto;
}

export class StatementEntryDto {
  @Uuid()
  id!: string;

  @Uuid()
  programId!: string;

  @Uuid()
  participantId!: string;

  @Uuid()
  commissionId!: string;

  @Uuid({ nullable: true })
  payoutId!: string | null;

  @OneOf(ledgerEntryTypes)
  type!: LedgerEntryType;

  @Int({ description: 'Signed, minor units: what is owed grows by it.' })
  amountCents!: number;

  @AnyText({ description: 'ISO 4217, lower case.' })
  currency!: string;

  @Instant()
  createdAt!: string;
}

export type StatementRow = Omit<StatementRowDto, 'entries'>;
type RowKey = Pick<StatementRow, 'programId' | 'participantId' | 'month' | 'currency'>;

/** The path that lists the entries behind a figure. */
function entriesPath(row: RowKey, figure: StatementFigure): string {
  const { programId, participantId, month, currency } = row;
  const query = new URLSearchParams({ programId, participantId, month, currency, figure });
  return `${statementPath}/entries?${query.toString()}`;
}

export function presentStatementRow(row: StatementRow): StatementRowDto {
  const entries = {
    paid: entriesPath(row, 'paid'),
    returned: entriesPath(row, 'returned'),
    adjusted: entriesPath(row, 'adjusted'),
  };
  return present(StatementRowDto, { ...row, entries });
}

export const statementColumns: readonly string[] = [
  'month',
  'partnerName',
  'partnerEmail',
  'participantId',
  'programId',
  'currency',
  'paidCents',
  'returnedCents',
  'adjustedCents',
  'paidEntries',
  'returnedEntries',
  'adjustedEntries',
];

/** The cells of a row of `statementPage`. */
export function statementCells([, ...cells]: readonly unknown[]): unknown[] {
  const [month, name, email, participantId, programId, currency, ...figures] = cells.map(String);
  const row = { programId, participantId, month, currency } as RowKey;
  return [
    ...[month, name, email, participantId, programId, currency],
    ...figures.map(Number),
    ...statementFigures.map((figure) => entriesPath(row, figure)),
  ];
}

const rowExample: StatementRow = {
  participantId: '0198c0de-2000-7000-8000-000000000002',
  partnerName: 'Anna Partner',
  partnerEmail: 'anna@partner.example',
  programId: '0198c0de-1000-7000-8000-000000000001',
  month: '2026-03',
  currency: 'usd',
  paidCents: 980,
  returnedCents: 0,
  adjustedCents: 500,
};

export const statementRowExample = presentStatementRow(rowExample);

export const statementCsvExample = `${statementColumns.join(',')}\r\n2026-03,Anna Partner,anna@partner.example,...\r\n`;

export const statementEntryExample: StatementEntryDto = {
  id: '0198c0de-8000-7000-8000-000000000008',
  programId: rowExample.programId,
  participantId: rowExample.participantId,
  commissionId: '0198c0de-5000-7000-8000-000000000005',
  payoutId: '0198c0de-7000-7000-8000-000000000007',
  type: 'payout',
  amountCents: -980,
  currency: 'usd',
  createdAt: '2026-03-31T09:00:00.000Z',
};
