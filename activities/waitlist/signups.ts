import { WaitlistSignup } from '../../entities/tables/waitlist/waitlist-signup.entity';
import { insertAll } from '../../entities/database/insert-all';
import { newId } from '../../entities/ids';
import { countFrom, type Db } from '../../entities/database/sql';
import type { Cause } from '../journal/cause';
import type { Deps } from '../../runtime/process/deps';

/**
 * Adds an address. A known one is written too, with the value that it has: both wait for a commit,
 * so that the time of the answer does not reveal who signed up before.
 */
export async function joinWaitlist(
  db: Db,
  { now }: Cause,
  { email }: { email: string },
): Promise<void> {
  await insertAll(db, {
    into: WaitlistSignup,
    rows: [{ id: newId(), email, createdAt: now }],
    onConflict: 'ON CONFLICT ON CONSTRAINT uq_waitlist_signup DO UPDATE SET email = excluded.email',
  });
}

/** Places taken, as the landing page shows them. */
export interface WaitlistCounter {
  taken(now: Date): Promise<number>;
}

interface Counted {
  until: number;
  taken: Promise<number>;
}

/**
 * One per process: the count is kept for a while, and requests that come together share one query. All
 * processes renew it at the same moments, so that a page does not show theirs in turn.
 */
export function createWaitlistCounter({
  db,
  config,
}: Pick<Deps, 'db' | 'config'>): WaitlistCounter {
  const { total, offset, countTtlSeconds } = config.waitlist;
  let last: Counted | undefined;

  const count = async (): Promise<number> =>
    Math.min(total, offset + (await countFrom(db.manager, 'waitlist_signups')));

  return {
    taken(now) {
      if (last && now.getTime() < last.until) return last.taken;
      const counted = { until: endOfWindow(now, countTtlSeconds * 1_000), taken: count() };
      last = counted;
      counted.taken.catch(() => {
        if (last === counted) last = undefined;
      });
      return counted.taken;
    },
  };
}

/** The end of the window of this length that `now` lies in; windows begin with the epoch. */
function endOfWindow(now: Date, ms: number): number {
  return ms === 0 ? 0 : (Math.floor(now.getTime() / ms) + 1) * ms;
}
