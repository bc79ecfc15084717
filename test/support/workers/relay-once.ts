import { claimWork } from '../../../activities/journal/outbox-claims';
import { rowsAtOnce } from '../../../entities/database/sql';
import type { OutboxTopic } from '../../../activities/journal/outbox';
import type { Deps } from '../../../runtime/process/deps';
import { processClaim, splitClaim, type TopicHandler } from '../../../workers/relay/process-claim';

/** Claims of one topic once, and carries all of the claim. Returns the number of rows that are done. */
export async function relayOnce(
  deps: Deps,
  topic: OutboxTopic,
  handler: TopicHandler,
): Promise<number> {
  const limit = handler.claimSize ?? rowsAtOnce;
  const claim = await claimWork(deps.db.manager, {
    topic,
    limit,
    now: deps.clock.now(),
    since: new Date(0),
    triedBelow: 2 ** 31 - 1,
    afterWorkspace: null,
  });
  const { together, alone } = splitClaim(claim);
  const claims = [together, ...alone].filter(({ work }) => work.length > 0);
  const carried = await Promise.all(
    claims.map((one) => processClaim(deps, handler, { claim: one })),
  );
  return carried.reduce((sum, { done }) => sum + done, 0);
}
