import { dayMs, hourMs, minuteMs } from '../values/duration';

/** The two name spaces of accounts: one address may have an account on each. */
export const sides = ['merchant', 'partner'] as const;
export type Side = (typeof sides)[number];

export const passwordLength = { min: 10, max: 128 } as const;

/** How long things last, in milliseconds (docs/reference/accounts.md, How long things last). */
export const lifetimes = {
  refreshToken: 30 * dayMs,
  refreshLeeway: 10_000,
  siblings: minuteMs,
  verificationToken: 24 * hourMs,
  resetToken: hourMs,
  memberInvite: 14 * dayMs,
} as const;

/**
 * Whether a spent refresh token may still be answered with a sibling: once, within the leeway. That
 * is for two tabs that refresh at once and for an answer that was lost on its way.
 */
export function hasLeeway(
  { spentAt, siblingAt }: { spentAt: Date; siblingAt: Date | null },
  now: Date,
): boolean {
  return siblingAt === null && now.getTime() - spentAt.getTime() < lifetimes.refreshLeeway;
}

/** Whether of two siblings one ends when the other is refreshed now. */
export function mayBeEnded(splitAt: Date, now: Date): boolean {
  return now.getTime() - splitAt.getTime() >= lifetimes.siblings;
}

/** Guessing: wrong passwords per address text, and per address text and known IP, in the window. */
export const guessing = {
  failures: 10,
  window: 15 * minuteMs,
  knownAddress: 30 * dayMs,
} as const;

export interface GuessCounts {
  /** Times of the wrong passwords for this address text, oldest first, from anywhere. */
  all: Date[];
  /** The times among these that came from the caller's own address. */
  own: Date[];
  /** The caller's address is one from which the account signed in lately. */
  knownAddress: boolean;
}

/**
 * Whether one more password may be tried, and if not, in how many whole seconds. Strangers share
 * ten wrong passwords in 15 minutes; an address known to the account has ten of its own, so that
 * no attacker can lock a user out of their account.
 */
export function secondsUntilGuess(counts: GuessCounts, now: Date): number {
  const counted = counts.knownAddress ? counts.own : counts.all;
  const since = now.getTime() - guessing.window;
  const blocking = counted.at(-guessing.failures);
  if (!blocking) return 0;
  return Math.max(0, Math.ceil((blocking.getTime() - since) / 1000));
}
