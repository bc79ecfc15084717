import { billerNames, type Biller } from './biller';

/** How often a discount is taken off: null once, 0 for ever, else so many months. */
interface Recurrence {
  months: number | null;
}

/** What a code takes off: basis points, or minor units of a currency (lower case). */
export type CodeDiscount = Recurrence &
  ({ percentOffBps: number } | { amountOffCents: number; currency: string });

export const maxPercentOffBps = 10_000;
export const maxDiscountMonths = 36;

export const billerCodeStatuses = ['pending', 'made', 'failed', 'deleted'] as const;
export type BillerCodeStatus = (typeof billerCodeStatuses)[number];

/** Whether two codes take off the same: kind, amount, currency and recurrence. */
export function isSameDiscount(one: CodeDiscount, other: CodeDiscount): boolean {
  return keyOf(one) === keyOf(other);
}

function keyOf(discount: CodeDiscount): string {
  const { months } = discount;
  if ('percentOffBps' in discount) return `${discount.percentOffBps} bps, ${months}`;
  return `${discount.amountOffCents} ${discount.currency.toLowerCase()}, ${months}`;
}

const shapes: Partial<Record<Biller, { pattern: RegExp; words: string }>> = {
  stripe: { pattern: /^[A-Za-z0-9-]+$/, words: 'letters, digits and hyphens' },
  paddle: { pattern: /^[A-Za-z0-9]{1,32}$/, words: '1 to 32 letters and digits' },
  polar: { pattern: /^[A-Za-z0-9]{3,256}$/, words: '3 to 256 letters and digits' },
};

/** Why a biller cannot have this code at all; null where it can. It is never changed to fit. */
export function codeShapeProblem(biller: Biller, code: string): string | null {
  const shape = shapes[biller];
  if (!shape || shape.pattern.test(code)) return null;
  return `A code at ${billerNames[biller]} is made of ${shape.words}: this one cannot be made there.`;
}

/** What a member has to know of a code that works at a biller; null for nothing. */
export function noteOfMade(biller: Biller, { months }: CodeDiscount): string | null {
  if (biller !== 'paddle' || months === null || months === 0) return null;
  return `Paddle counts billing periods: ${months} of them, which are ${months} months for plans that are billed monthly alone.`;
}

/** What a biller has of a code, as far as it matters here. */
export interface CodeThere {
  id: string;
  code: string;
  /** Null for one of a kind that is not made here. */
  discount: CodeDiscount | null;
  /** True when it was made for this code of ours. */
  isOurs: boolean;
}

/** What is to be done with a code that a biller should have. */
export type CodeStep = { do: 'make' } | { do: 'take up'; id: string } | { do: 'fail' };

/** What follows from the codes there that are in force, for one that should take off so much. */
export function stepFor(wanted: CodeDiscount, there: readonly CodeThere[]): CodeStep {
  const [first] = there;
  if (!first) return { do: 'make' };
  const same = there.find(({ discount }) => discount && isSameDiscount(discount, wanted));
  return same ? { do: 'take up', id: same.id } : { do: 'fail' };
}
