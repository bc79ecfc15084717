import { isDigestible } from './digest';
import { mailSpec, type MailType } from './mail';
import { dayMs } from '../values/duration';

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
