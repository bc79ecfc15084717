import type { Commission } from '../../session/records';
import { commissions as words } from '../../text/en/app/commissions';
import { formatDay } from '../../ui/format';

export type Action = 'approve' | 'reject' | 'approve-override';

/** What keeps a commission on hold from being approved, and what to do; undefined where that is not it. */
export function whyNot(
  action: Action,
  one: Pick<Commission, 'holdActive' | 'holdUntil' | 'needsReview'> | undefined,
): string | undefined {
  if (action === 'reject' || !one?.holdActive || !one.holdUntil) return undefined;
  const day = formatDay(one.holdUntil);
  if (one.needsReview) return words.waitsToBeReviewed(day);
  return action === 'approve' ? words.waitsForDay(day) : undefined;
}
