import { mailSpec, type MailType } from './mail';

const minute = 60_000;
export const hourMs = 60 * minute;
export const dayMs = 24 * hourMs;

/** Mails of one type to one person go one by one up to `most` in a window; then they are collected. */
export const digesting = { most: 10, windowMs: 15 * minute } as const;

/** Mails that preferences govern can be collected; what concerns the account itself cannot wait. */
export function isDigestible(type: MailType): boolean {
  const { category } = mailSpec(type);
  return category !== null && category !== 'security';
}

/** How many mails stand one by one in a digest; the rest are a number. */
export const digestLines = 20;

/**
 * How many mails of a type an address takes an hour; undefined: any number. Types that a stranger
 * can cause take the limit. To an address that was never verified a stranger can cause others too,
 * by an account in its name: those take three times as many, since the account may be in good faith.
 */
export function hourlyBound(
  mail: { type: MailType; verified: boolean },
  perHour: number,
): number | undefined {
  if (perHour === 0) return undefined;
  if (mailSpec(mail.type).open) return perHour;
  return mail.verified || isDigestible(mail.type) ? undefined : 3 * perHour;
}

const grownAfterDays = 30;

/** Invites that a workspace may mail in a day: each day of its age adds the first day's number. */
export function dailyInvites(firstDay: number, createdAt: Date, now: Date): number | undefined {
  if (firstDay === 0) return undefined;
  const days = Math.floor((now.getTime() - createdAt.getTime()) / dayMs);
  return firstDay * (1 + Math.min(Math.max(days, 0), grownAfterDays));
}
