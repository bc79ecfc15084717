import type { ProgramTerms } from '../programs/terms';
import type { ImportKind } from './kinds';
import type { ImportProblem } from './problems';

export interface KindCounts {
  kind: ImportKind;
  /** Rows of the source. */
  read: number;
  new: number;
  known: number;
  /** Neither: with a problem, after the cutover, or with nothing to book. */
  skipped: number;
}

/** Sums of a currency as the old system shows them, of all rows without a problem. */
export interface ImportMoney {
  currency: string;
  /** Pending and approved. */
  openCents: number;
  paidCents: number;
  voidCents: number;
  /** The sum of the commissions below nothing; the sums before hold them as well. */
  negativeCents: number;
  /** Sales after the cutover: these are ours to book, by the sales themselves. */
  afterCutoverCents: number;
  /** Commissions of sales that have theirs here already. */
  knownHereCents: number;
}

export interface SampleRow {
  file: string;
  line: number;
  /** Their id; empty where that is an address. */
  id: string;
  code: string;
  message: string;
}

export interface ImportReport {
  kinds: KindCounts[];
  money: ImportMoney[];
  problems: { count: number; sample: SampleRow[] };
  warnings: { count: number; sample: SampleRow[] };
  /** Partners of theirs that are one partner here. */
  merged: number;
  /** Parameters of old links, for the snippet's `data-params`. */
  params: string[];
  /** What the source tells of its terms, in its own words; null where it tells nothing. */
  terms: TheirTerms[] | null;
}

/** A campaign's terms, as the source has them. */
export interface TheirTerms {
  name: string;
  commission: string | null;
  recurring: string | null;
  cookieDays: number | null;
  /** The same as terms of ours, for a group that is made of the campaign. */
  offer?: TheirOffer | null;
}

/** What a campaign promises; a currency goes with flat terms alone. */
export interface TheirOffer {
  commission: ProgramTerms;
  currency: string | null;
}

/** How many rows of a list the report shows. */
export const sampleSize = 20;

/** The sums that an admin types back before anything is booked. */
export type ExpectedMoney = Pick<ImportMoney, 'currency' | 'openCents' | 'paidCents'>;

/** Whether these are the sums of the report: each currency once, those of nothing may be left out. */
export function isExpected(
  money: readonly ImportMoney[],
  expected: readonly ExpectedMoney[],
): boolean {
  const told = new Map(expected.map((sum) => [sum.currency, sum]));
  if (told.size < expected.length) return false;
  const currencies = new Set([...told.keys(), ...money.map(({ currency }) => currency)]);
  return [...currencies].every((currency) => {
    const ours = money.find((sum) => sum.currency === currency);
    const theirs = told.get(currency);
    return (
      (ours?.openCents ?? 0) === (theirs?.openCents ?? 0) &&
      (ours?.paidCents ?? 0) === (theirs?.paidCents ?? 0)
    );
  });
}

/** A problem as it stands in the list of problems. */
export interface ProblemRow extends SampleRow {
  code: ImportProblem;
}

/** Their id as it may be shown: never an address. */
export function shownId(theirId: string): string {
  return theirId.includes('@') ? '' : theirId;
}
