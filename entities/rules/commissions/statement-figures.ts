import type { LedgerEntryType } from './settlement';

/** The movements of a statement, in the order of its columns. */
export const statementFigures = [
  'accrued',
  'imported',
  'refunded',
  'clawedBack',
  'fee',
  'held',
  'reversed',
  'recredited',
  'adjusted',
  'paid',
  'paidElsewhere',
  'returned',
] as const;
export type StatementFigure = (typeof statementFigures)[number];

/**
 * The column of a statement in which an entry stands, each in one: opening and all columns come to
 * the closing. A new type of entry has its line here, or nothing compiles.
 */
export const figureOfType: Readonly<Record<LedgerEntryType, StatementFigure>> = {
  accrual: 'accrued',
  adjustment: 'adjusted',
  refund: 'refunded',
  fee_settlement: 'fee',
  dispute_hold: 'held',
  dispute_release: 'held',
  reversal: 'reversed',
  recredit: 'recredited',
  clawback: 'clawedBack',
  payout: 'paid',
  payout_reversal: 'returned',
  import: 'imported',
  paid_elsewhere: 'paidElsewhere',
};

/** The types of entries of a column; none while nothing of the kind is booked. */
export function typesOfFigure(figure: StatementFigure): LedgerEntryType[] {
  const types = Object.keys(figureOfType) as LedgerEntryType[];
  return types.filter((type) => figureOfType[type] === figure);
}
