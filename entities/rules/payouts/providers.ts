/** Who can send a payout, besides whoever uploads a file. */
export const payoutProviders = ['paypal'] as const;
export type PayoutProviderName = (typeof payoutProviders)[number];

export function isPayoutProvider(name: string): name is PayoutProviderName {
  return (payoutProviders as readonly string[]).includes(name);
}

/** one: any admin sends; two: not the one who made the payout, nor who made the key that did. */
export const payoutApprovals = ['one', 'two'] as const;
export type PayoutApproval = (typeof payoutApprovals)[number];

/** How much the batches of 24 hours may hold, in one mode. */
export interface DailyLimit {
  /** ISO 4217, lower case. */
  currency: string;
  /** Minor units. */
  amountCents: number;
}

/** What the limit of a currency leaves; 0 where there is none. */
export function leftOf(
  limits: readonly DailyLimit[],
  { currency, usedCents }: { currency: string; usedCents: number },
): number {
  const limit = limits.find((one) => one.currency === currency);
  return Math.max(0, (limit?.amountCents ?? 0) - usedCents);
}
