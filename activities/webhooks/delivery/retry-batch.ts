import { setTimeout as pause } from 'node:timers/promises';
import { systemCause } from '../../journal/cause';
import type { Deps } from '../../runtime/process/deps';
import { countOutcomes } from '../metrics';
import { wakeRetriesOf } from '../repair';
import type { ClaimedDelivery } from './claim';
import { leasesOf } from './leases';
import { recordAttempts } from './record';
import { attemptDelivery, type AttemptResult } from './send';

type BatchDeps = Pick<Deps, 'db' | 'config' | 'clock' | 'vault' | 'webhooks' | 'metrics' | 'log'>;

/**
 * Sends what was claimed of one endpoint and writes down what has ended within the patience. The rest
 * goes on, keeps its places and is written down when it ends; returns whether there is any.
 */
export async function sendBatch(
  deps: BatchDeps,
  claims: readonly ClaimedDelivery[],
  patienceMs: number,
): Promise<boolean> {
  const ended: AttemptResult[] = [];
  const leaves = new Map(claims.map((claim) => [claim.id, enter(deps, claim)]));
  const attempts = claims.map(async (claim) => {
    const result = await attemptDelivery(deps, claim);
    ended.push(result);
  });
  const all = Promise.all(attempts);
  try {
    const isHanging = await outlasts(all, patienceMs);
    const first = ended.splice(0);
    await record(deps, first);
    first.forEach(({ claim }) => leaves.get(claim.id)?.());
    if (!isHanging) return false;
  } catch (error) {
    leaves.forEach((leave) => leave());
    throw error;
  }
  void all
    .then(() => record(deps, ended))
    .then(() => wakeAfterSuccess(deps, ended))
    .catch((error: unknown) => {
      // Their leases run out, and then they are sent again.
      deps.log.warn({ err: error }, 'slow webhook attempts could not be written down');
    })
    .finally(() => leaves.forEach((leave) => leave()));
  return true;
}

/** A place and the lease, until the returned function is called. */
function enter(deps: BatchDeps, claim: ClaimedDelivery): () => void {
  const leave = deps.webhooks.places.enter(claim);
  const letGo = leasesOf(deps).hold(claim);
  return () => {
    letGo();
    leave();
  };
}

async function outlasts(work: Promise<unknown>, ms: number): Promise<boolean> {
  const clock = new AbortController();
  const late = pause(ms, true, { signal: clock.signal }).catch(() => true);
  try {
    return await Promise.race([work.then(() => false), late]);
  } finally {
    clock.abort();
  }
}

async function record(deps: BatchDeps, results: readonly AttemptResult[]): Promise<void> {
  if (deps.webhooks.isLeft()) return;
  const { breakerFailures } = deps.config.webhooks;
  const cause = systemCause(deps.clock.now());
  await recordAttempts(deps.db.manager, cause, { results, breakerFailures });
  countOutcomes(deps.metrics, results);
}

/** A receiver that is only slow has more to get, sooner than one that hangs. */
async function wakeAfterSuccess(deps: BatchDeps, results: readonly AttemptResult[]): Promise<void> {
  const success = results.find(({ answer }) => answer.ok);
  if (!success) return;
  await wakeRetriesOf(deps.db.manager, systemCause(deps.clock.now()), success.claim.endpointId);
}
