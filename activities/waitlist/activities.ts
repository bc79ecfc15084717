import type { Deps } from '../runtime/process/deps';
import { purgeSignups } from './signups';

/** What the schedule of the waitlist calls. */
export function createWaitlistActivities(deps: Deps) {
  return {
    /** Deletes a batch of signups past their time; 0 when nothing is left. */
    purgeWaitlist: (): Promise<number> => purgeSignups(deps.db.manager, deps.clock.now()),
  };
}
