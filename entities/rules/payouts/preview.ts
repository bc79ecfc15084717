import { floorOf, type MinPayout, type PlannedItem } from './plan';

export interface CurrencyTotal {
  currency: string;
  amountCents: number;
}

type Amount = Pick<PlannedItem, 'currency' | 'amountCents'>;

/** What items come to, one sum a currency, sorted by it. */
export function totalsOf(items: readonly Amount[]): CurrencyTotal[] {
  const sums = new Map<string, number>();
  for (const { currency, amountCents } of items) {
    sums.set(currency, (sums.get(currency) ?? 0) + amountCents);
  }
  const currencies = [...sums.keys()].sort();
  return currencies.map((currency) => ({ currency, amountCents: sums.get(currency) as number }));
}

/** Whether two lists of sums say the same, in any order; a currency that comes to 0 may be left out. */
export function isSameTotals(
  totals: readonly CurrencyTotal[],
  expected: readonly CurrencyTotal[],
): boolean {
  const said = (all: readonly CurrencyTotal[]): string =>
    JSON.stringify(totalsOf(all).filter(({ amountCents }) => amountCents !== 0));
  return said(totals) === said(expected);
}

export const leftOutReasons = [
  'debt',
  'below_minimum',
  'suspended',
  'disputed',
  'no_method',
  'unconfirmed_method',
  'attention',
] as const;
export type LeftOutReason = (typeof leftOutReasons)[number];

/** What a partner has open in a currency, and what may stand in the way of paying it. */
export interface OpenSum {
  participantId: string;
  partnerName: string;
  currency: string;
  /** The sum of what is approved and free, with debts netted. */
  dueCents: number;
  /** Anything but what is disputed or in doubt, even if it comes to nothing. */
  hasOpen: boolean;
  /** Approved, free and disputed. */
  disputedCents: number;
  /** Approved, free, and of an item of before that a person has to look at. */
  inDoubtCents: number;
  isSuspended: boolean;
  hasMethod: boolean;
  /** The only way is one that an import told. */
  isUnconfirmed: boolean;
}

export interface LeftOut {
  participantId: string;
  partnerName: string;
  currency: string;
  amountCents: number;
  why: LeftOutReason;
}

export interface PreviewTerms {
  min: MinPayout;
  /** Partners who are suspended are paid when their commissions are named. */
  paysSuspended: boolean;
  requireMethod: boolean;
  requireConfirmed: boolean;
}

/**
 * Who is not among the items, and why. What only did not fit into this payout is none of these: the
 * next one takes it.
 */
export function leftOutOf(
  sums: readonly OpenSum[],
  items: readonly PlannedItem[],
  terms: PreviewTerms,
): LeftOut[] {
  const planned = new Set(items.map(keyOf));
  return sums.flatMap((sum) => {
    const { participantId, partnerName, currency, dueCents, disputedCents, inDoubtCents } = sum;
    const why = planned.has(keyOf(sum)) ? undefined : reasonOf(sum, terms);
    const who = { participantId, partnerName, currency };
    return [
      ...(why ? [{ ...who, amountCents: dueCents, why }] : []),
      ...(disputedCents > 0
        ? [{ ...who, amountCents: disputedCents, why: 'disputed' as const }]
        : []),
      ...(inDoubtCents > 0
        ? [{ ...who, amountCents: inDoubtCents, why: 'attention' as const }]
        : []),
    ];
  });
}

function reasonOf(sum: OpenSum, terms: PreviewTerms): LeftOutReason | undefined {
  if (!sum.hasOpen) return undefined;
  if (sum.isSuspended && !terms.paysSuspended) return 'suspended';
  if (sum.dueCents <= 0) return 'debt';
  if (terms.requireMethod && !sum.hasMethod) return 'no_method';
  if (terms.requireConfirmed && sum.isUnconfirmed) return 'unconfirmed_method';
  return sum.dueCents < floorOf(sum.currency, terms.min) ? 'below_minimum' : undefined;
}

function keyOf({ participantId, currency }: { participantId: string; currency: string }): string {
  return `${participantId} ${currency}`;
}
