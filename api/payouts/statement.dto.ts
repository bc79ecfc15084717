import {
  ledgerEntryTypes,
  type LedgerEntryType,
} from '../../entities/rules/commissions/settlement';
import { pageOf, PageQuery, type Page } from '../http/contract/pagination';
import { present } from '../http/contract/present';
import {
  AnyText,
  CurrencyCode,
  fieldsOf,
  Instant,
  Int,
  ListOf,
  OneOf,
  QueryInt,
  Text,
  Uuid,
} from '../http/contract/validators';
import { ledgerPath } from './ledger.dto';

const entryFigures = ['paid', 'returned', 'adjusted'] as const;

export const statementPath = '/api/v1/payouts/statement';

export class StatementQuery extends PageQuery {
  @QueryInt({ min: 2000, max: 2099, description: 'In UTC.', example: 2026 })
  year!: number;

  @QueryInt({
    min: 1,
    max: 12,
    optional: true,
    description: 'Alone; without it all months of the year that have begun.',
  })
  month?: number;

  @OneOf(['json', 'csv'], {
    optional: true,
    description: 'csv is all of it in one file, the totals last; json (default) a page.',
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

  @OneOf(entryFigures, { optional: true, description: 'The entries of one figure.' })
  figure?: (typeof entryFigures)[number];
}

/** What was owed before, what moved, and what is owed after; each signed as its ledger entries are. */
class StatementFiguresDto {
  @AnyText({ description: '`YYYY-MM`, in UTC.', example: '2026-03' })
  month!: string;

  @AnyText({ description: 'ISO 4217, lower case.' })
  currency!: string;

  @Int({
    description: 'Owed when the month began: the closing of the month before.',
    example: 2000,
  })
  openingCents!: number;

  @Int({ description: 'Earned, bonuses too.', example: 1480 })
  accruedCents!: number;

  @Int({ description: 'Brought by imports.' })
  importedCents!: number;

  @Int({ description: 'Taken off by refunds before the payment.', example: -500 })
  refundedCents!: number;

  @Int({ description: 'Taken off by refunds and lost disputes after the payment.' })
  clawedBackCents!: number;

  @Int({ description: "By processors' fees that came later." })
  feeCents!: number;

  @Int({ description: 'Kept back by disputes, and released.' })
  heldCents!: number;

  @Int({ description: 'Rejected, or undone.' })
  reversedCents!: number;

  @Int({ description: 'Moved because other facts came to light.' })
  recreditedCents!: number;

  @Int({ description: 'Adjustments, and debts that were written off.', example: 500 })
  adjustedCents!: number;

  @Int({ description: 'By payouts; negative.', example: -2980 })
  paidCents!: number;

  @Int({ description: 'Paid before an import; negative.' })
  paidElsewhereCents!: number;

  @Int({ description: 'Payments that came back.' })
  returnedCents!: number;

  @Int({
    description: 'Opening and all between: the sum of the ledger to the end of the month.',
    example: 500,
  })
  closingCents!: number;
}

/** All partners together. */
export class StatementTotalDto extends StatementFiguresDto {}

export class StatementRowDto extends StatementFiguresDto {
  @Uuid()
  participantId!: string;

  @AnyText()
  partnerName!: string;

  @AnyText()
  partnerEmail!: string;

  @Uuid()
  programId!: string;

  @AnyText({
    description: 'Path of the ledger with the entries of this month; `type` narrows to a figure.',
    example:
      '/api/v1/ledger?programId=0198c0de-1000-7000-8000-000000000001&participantId=0198c0de-2000-7000-8000-000000000002&currency=usd&from=2026-03-01T00%3A00%3A00.000Z&to=2026-04-01T00%3A00%3A00.000Z',
  })
  ledger!: string;
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

  @Uuid({ nullable: true, example: '0198c0de-7000-7000-8000-000000000007' })
  payoutId!: string | null;

  @OneOf(ledgerEntryTypes, { example: 'payout' })
  type!: LedgerEntryType;

  @Int({ description: 'Signed, minor units: what is owed grows by it.', example: -980 })
  amountCents!: number;

  @AnyText({ description: 'ISO 4217, lower case.' })
  currency!: string;

  @Instant()
  createdAt!: string;
}

export class StatementDto extends (pageOf(StatementRowDto) as new () => Page<StatementRowDto>) {
  @ListOf(() => StatementTotalDto, { description: 'Over all pages, by month and currency.' })
  totals!: StatementTotalDto[];
}

export type StatementRow = Omit<StatementRowDto, 'ledger'>;

export function presentStatementRow(row: StatementRow): StatementRowDto {
  const { programId, participantId, month, currency } = row;
  const [year = 0, number = 1] = month.split('-').map(Number);
  const [from, to] = [Date.UTC(year, number - 1), Date.UTC(year, number)].map((time) =>
    new Date(time).toISOString(),
  ) as [string, string];
  const filter = new URLSearchParams({ programId, participantId, currency, from, to });
  return present(StatementRowDto, { ...row, ledger: `${ledgerPath}?${filter.toString()}` });
}

/** The months that a query asks for, as far as they have begun. */
export function monthsOf({ year, month }: StatementQuery, now: Date): string[] {
  const numbers = month === undefined ? Array.from({ length: 12 }, (_, at) => at + 1) : [month];
  const all = numbers.map((number) => `${year}-${String(number).padStart(2, '0')}`);
  const begun = all.filter((one) => one <= now.toISOString().slice(0, 7));
  return begun.length > 0 ? begun : all.slice(0, 1);
}

const figures = [...fieldsOf(StatementFiguresDto).keys()].filter(
  (name) => name !== 'month' && name !== 'currency',
);

export const statementColumns: readonly string[] = [
  ...['month', 'partnerName', 'partnerEmail', 'participantId', 'programId', 'currency'],
  ...figures,
];

/** The cells of a row of `statementPage`: amounts as numbers, whose sign is no formula. */
export function statementCells([, ...cells]: readonly unknown[]): unknown[] {
  return cells.map((cell, at) => (at < 6 ? cell : Number(cell)));
}

export const statementCsvExample = `${statementColumns.join(',')}\r\n2026-03,Anna Partner,anna@partner.example,...\r\n2026-03,total,,,,usd,...\r\n`;
