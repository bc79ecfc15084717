import { setTimeout as pause } from 'node:timers/promises';
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
const retryMs = 250;

/**
 * Writes results together: while one transaction commits, the next ones gather. While the database
 * is away it tries on: the results that it holds keep their places, so that nothing more is sent
 * than could be written down.
 */
export function createAttemptRecorder(
  deps: Pick<Deps, 'db' | 'clock' | 'config' | 'log' | 'metrics'>,
  { onRecorded, giveUpMs }: { onRecorded: () => void; giveUpMs: number },
): AttemptRecorder {
  let waiting: Waiting[] = [];
  let isWriting = false;

  async function write(): Promise<void> {
    if (isWriting) return;
    isWriting = true;
    while (waiting.length > 0) {
      const batch = waiting.slice(0, batchSize);
      waiting = waiting.slice(batchSize);
      await commit(batch.map(({ result }) => result));
      batch.forEach(({ resolve }) => resolve());
      onRecorded();
    }
    isWriting = false;
  }

  async function commit(results: AttemptResult[]): Promise<void> {
    const giveUpAt = Date.now() + giveUpMs;
    for (;;) {
      try {
        const { breakerFailures } = deps.config.webhooks;
        await recordAttempts(deps.db.manager, results, { now: deps.clock.now(), breakerFailures });
        countOutcomes(deps.metrics, results);
        return;
      } catch (error) {
        deps.log.warn({ err: error }, 'results of webhook attempts could not be written yet');
        // The leases are over: somebody else sends these again, and a late result would not count.
        if (Date.now() > giveUpAt) return;
        await pause(retryMs);
      }
    }
  }

  return {
    record: (result) =>
      new Promise((resolve) => {
        waiting.push({ result, resolve });
        void write();
      }),
  };
}
