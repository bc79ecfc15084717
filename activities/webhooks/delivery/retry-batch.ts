import { setTimeout as pause } from 'node:timers/promises';
import { systemCause } from '../../journal/cause';
import { whileHeldUp } from '../../../runtime/load/fair-batch';
import { retry, waits, type RetryPolicy } from '../../../runtime/load/retry';
import type { Deps } from '../../../runtime/process/deps';
import { countOutcomes } from '../metrics';
import { wakeRetriesOf } from '../repair';
import type { ClaimedDelivery } from './claim';
import { leasesOf } from './leases';
import { recordAttempts } from './record';
import { attemptDelivery, type AttemptResult } from './send';

type BatchDeps = Pick<Deps, 'db' | 'config' | 'clock' | 'vault' | 'webhooks' | 'metrics' | 'log'>;

/** What a batch has under way; false again once it is written down. */
export interface Hanging {
  isHanging: boolean;
}

/**
 * Sends what was claimed of one endpoint and writes down what has ended within the patience. The rest
 * goes on, keeps its places and leases, and is written down when it ends.
 */
export async function sendBatch(
  deps: BatchDeps,
  claims: readonly ClaimedDelivery[],
  patienceMs: number,
): Promise<Hanging> {
  const ended: AttemptResult[] = [];
  const leaves = new Map(claims.map((claim) => [claim.id, enter(deps, claim)]));
  const leaveAll = (): void => leaves.forEach((leave) => leave());
  const attempts = claims.map(async (claim) => {
    const result = await attemptDelivery(deps, claim);
    ended.push(result);
  });
  const all = Promise.allSettled(attempts);
  const hanging = { isHanging: await outlasts(all, patienceMs) };
  const first = ended.splice(0);
  if (hanging.isHanging) void all.then(() => endLate(deps, ended, hanging)).finally(leaveAll);
  try {
    await record(deps, first);
  } finally {
    if (hanging.isHanging) first.forEach(({ claim }) => leaves.get(claim.id)?.());
    else leaveAll();
  }
  // What an attempt threw is the error of the call.
  if (!hanging.isHanging) await Promise.all(attempts);
  return hanging;
}

/** No call hears of what fails here. When it gives up, another process has probably sent it again. */
async function endLate(
  deps: BatchDeps,
  results: readonly AttemptResult[],
  hanging: Hanging,
): Promise<void> {
  const patiently: RetryPolicy = {
    waitsMs: waits(250, 120),
    isWorthIt: () => !deps.webhooks.isLeft(),
  };
  try {
    await retry(patiently, () => record(deps, results));
    // Before the wake-up: a call that ends now looks for itself, and one that has ended is woken.
    hanging.isHanging = false;
    await wakeAfterSuccess(deps, results);
  } catch (error) {
    // Their leases run out, and then they are sent again.
    deps.log.warn({ err: error }, 'slow webhook attempts could not be written down');
  } finally {
    hanging.isHanging = false;
  }
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
  await whileHeldUp(() =>
    recordAttempts(deps.db.manager, cause, { results, breakerFailures, wait: 'own' }),
  );
  countOutcomes(deps.metrics, results);
}

/** A receiver that is only slow has more to get, sooner than one that hangs. */
async function wakeAfterSuccess(deps: BatchDeps, results: readonly AttemptResult[]): Promise<void> {
  const success = results.find(({ answer }) => answer.ok);
  if (!success) return;
  const cause = systemCause(deps.clock.now());
  await whileHeldUp(() => wakeRetriesOf(deps.db.manager, cause, success.claim.endpointId));
}
