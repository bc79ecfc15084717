import { setTimeout as pause } from 'node:timers/promises';
import { systemCause } from '../../activities/journal/cause';
import { createFairPlaces, type FairPlaces } from '../../runtime/load/fair-places';
import { groupBy } from '../../runtime/load/group-by';
import { retry, waits, type RetryPolicy } from '../../runtime/load/retry';
import type { Deps } from '../../runtime/process/deps';
import { recordAttempts } from '../../activities/webhooks/delivery/record';
import { countOutcomes } from '../../activities/webhooks/metrics';
import { isHeldUp } from '../../entities/database/errors';
import type { LockWait } from '../../entities/database/sql';
import type { AttemptResult } from '../../activities/webhooks/delivery/send';

export interface AttemptRecorder {
  /** Resolves when the result is committed, or given up because its lease has run out. */
  record(result: AttemptResult): Promise<void>;
}

type RecorderDeps = Pick<Deps, 'db' | 'clock' | 'config' | 'log' | 'metrics'>;

interface Waiting {
  result: AttemptResult;
  resolve: () => void;
}

const batchSize = 500;
/** Receivers that are asked together answer at nearly the same time. */
const gatherMs = 2;

/** Workspaces whose rows were locked, at once; each of them one transaction at a time. */
const apartAtOnce = 2;
const mostApart = 100_000;

/** Later another process has probably sent them again, and the result would not count. */
function forAtMost(giveUpMs: number): RetryPolicy {
  const end = Date.now() + giveUpMs;
  return { waitsMs: waits(250), isWorthIt: () => Date.now() <= end };
}

/**
 * Writes results together: while one transaction commits, the next ones gather. While the database
 * is away it tries on: the results that it holds keep their places, so that nothing more is sent
 * than could be written down. When a lock is in the way each workspace's results are written apart,
 * beside those that come next.
 */
export function createAttemptRecorder(
  deps: RecorderDeps,
  { giveUpMs }: { giveUpMs: number },
): AttemptRecorder {
  const apart = apartPlaces(giveUpMs);
  let waiting: Waiting[] = [];
  let isWriting = false;

  async function write(): Promise<void> {
    if (isWriting) return;
    isWriting = true;
    while (waiting.length > 0) {
      await pause(gatherMs);
      const batch = waiting.slice(0, batchSize);
      waiting = waiting.slice(batchSize);
      await commit(batch);
    }
    isWriting = false;
  }

  async function commit(batch: Waiting[]): Promise<void> {
    const { isWorthIt, ...policy } = forAtMost(giveUpMs);
    const unlessHeldUp = (error: unknown): boolean => !isHeldUp(error) && isWorthIt(error);
    try {
      await retry({ ...policy, isWorthIt: unlessHeldUp }, () => writeOnce(deps, batch, 'shared'));
      end(deps, batch, true);
    } catch (error) {
      if (!isHeldUp(error)) end(deps, batch, false);
      else for (const part of partsOf(batch)) void commitApart(part);
    }
  }

  /** Waits without a connection between two attempts. */
  async function commitApart({ workspaceId, part }: Part): Promise<void> {
    const isWritten = await retry(forAtMost(giveUpMs), () =>
      apart.run(workspaceId, () => writeOnce(deps, part, 'own')),
    ).then(
      () => true,
      () => false,
    );
    end(deps, part, isWritten);
  }

  return {
    record: (result) =>
      new Promise((resolve) => {
        waiting.push({ result, resolve });
        void write();
      }),
  };
}

async function writeOnce(
  { db, clock, config, log }: RecorderDeps,
  batch: Waiting[],
  wait: LockWait,
): Promise<void> {
  const results = batch.map(({ result }) => result);
  const { breakerFailures } = config.webhooks;
  const cause = systemCause(clock.now());
  try {
    await recordAttempts(db.manager, cause, { results, breakerFailures, wait });
  } catch (error) {
    log.warn({ err: error }, 'results of webhook attempts could not be written yet');
    throw error;
  }
}

function end({ metrics }: RecorderDeps, batch: Waiting[], isWritten: boolean): void {
  const results = batch.map(({ result }) => result);
  if (isWritten) countOutcomes(metrics, results);
  batch.forEach(({ resolve }) => resolve());
}

function apartPlaces(patienceMs: number): FairPlaces {
  const waiting = { waitingPerOwner: mostApart, waitingInAll: mostApart };
  return createFairPlaces({ places: apartAtOnce, perOwner: 1, ...waiting, patienceMs });
}

interface Part {
  workspaceId: string;
  part: Waiting[];
}

function partsOf(batch: Waiting[]): Part[] {
  const parts = groupBy(batch, ({ result }) => result.claim.workspaceId);
  return [...parts].map(([workspaceId, part]) => ({ workspaceId, part }));
}
