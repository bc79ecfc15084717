import { claimWork } from '../../../activities/journal/outbox-claims';
import type { OutboxTopic } from '../../../activities/journal/outbox';
import type { Deps } from '../../../runtime/process/deps';
import {
  carry,
  largestClaim,
  splitClaim,
  type TopicHandler,
} from '../../../workers/relay/carry-work';

/** Claims of one topic once, and carries all of the claim. Returns the number of rows that are done. */
export async function relayOnce(
  deps: Deps,
  topic: OutboxTopic,
  handler: TopicHandler,
): Promise<number> {
  const limit = handler.claimSize ?? largestClaim;
  const claim = await claimWork(deps.db.manager, {
    topic,
    limit,
    now: deps.clock.now(),
    from: 0,
    triedBelow: 2_147_483_647,
    afterWorkspace: null,
  });
  const { together, alone } = splitClaim(claim);
  const claims = [together, ...alone].filter(({ work }) => work.length > 0);
  const carried = await Promise.all(claims.map((one) => carry(deps, handler, { claim: one })));
  return carried.reduce((sum, { done }) => sum + done, 0);
}
