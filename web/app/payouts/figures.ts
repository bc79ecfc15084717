import type { LedgerRowDto, StatementTotalDto } from '../../session/records';

type Sum<T> = T extends `${infer Name}Cents` ? Name : never;
export type Figure = Exclude<Sum<keyof StatementTotalDto>, 'opening' | 'closing'>;

/** The column of the books in which an entry stands (docs/reference/payouts.md, Books that close). */
export const figureOfType: Readonly<Record<LedgerRowDto['type'], Figure>> = {
  accrual: 'accrued',
  refund: 'refunded',
  clawback: 'clawedBack',
  fee_settlement: 'fee',
  dispute_hold: 'held',
  dispute_release: 'held',
  reversal: 'reversed',
  recredit: 'recredited',
  adjustment: 'adjusted',
  payout: 'paid',
  payout_reversal: 'returned',
  import: 'imported',
  paid_elsewhere: 'paidElsewhere',
};

/** The columns that have entries, in their order. */
export const figures = [...new Set(Object.values(figureOfType))];

/** The types of a column's entries, as the ledger is asked for them. */
export const typesOf = (figure: Figure): string =>
  Object.entries(figureOfType)
    .filter(([, one]) => one === figure)
    .map(([type]) => type)
    .join(',');
