import { setTimeout as pause } from 'node:timers/promises';
import { systemCause } from '../activities/journal/cause';
import { retry, waits, type RetryPolicy } from '../activities/runtime/batching/retry';
import type { Deps } from '../activities/runtime/process/deps';
import { recordAttempts } from '../activities/webhooks/delivery/record';
import { countOutcomes } from '../activities/webhooks/metrics';
import type { AttemptResult } from '../activities/webhooks/delivery/send';

export interface AttemptRecorder {
  /** Resolves when the result is committed, or given up because its lease has run out. */
  record(result: AttemptResult): Promise<void>;
}

interface Waiting {
  result: AttemptResult;
  resolve: () => void;
}

const batchSize = 500;
/** Receivers that are asked together answer at nearly the same time. */
const gatherMs = 2;

/** Later another process has probably sent them again, and the result would not count. */
function forAtMost(giveUpMs: number): RetryPolicy {
  const end = Date.now() + giveUpMs;
  return { waitsMs: waits(250), isWorthIt: () => Date.now() <= end };
}

/**
 * Writes results together: while one transaction commits, the next ones gather. While the database
 * is away it tries on: the results that it holds keep their places, so that nothing more is sent
 * than could be written down.
 */
export function createAttemptRecorder(
  deps: Pick<Deps, 'db' | 'clock' | 'config' | 'log' | 'metrics'>,
  { giveUpMs }: { giveUpMs: number },
): AttemptRecorder {
  let waiting: Waiting[] = [];
  let isWriting = false;

  async function write(): Promise<void> {
    if (isWriting) return;
    isWriting = true;
    while (waiting.length > 0) {
      await pause(gatherMs);
      const batch = waiting.slice(0, batchSize);
      waiting = waiting.slice(batchSize);
      await commit(batch.map(({ result }) => result));
      batch.forEach(({ resolve }) => resolve());
    }
    isWriting = false;
  }

  async function commit(results: AttemptResult[]): Promise<void> {
    const { breakerFailures } = deps.config.webhooks;
    const policy = forAtMost(giveUpMs);
    const write = async (): Promise<void> => {
      const cause = systemCause(deps.clock.now());
      await recordAttempts(deps.db.manager, cause, { results, breakerFailures }).catch(
        (error: unknown) => {
          deps.log.warn({ err: error }, 'results of webhook attempts could not be written yet');
          throw error;
        },
      );
    };
    const isWritten = await retry(policy, write).then(
      () => true,
      () => false,
    );
    if (isWritten) countOutcomes(deps.metrics, results);
  }

  return {
    record: (result) =>
      new Promise((resolve) => {
        waiting.push({ result, resolve });
        void write();
      }),
  };
}
