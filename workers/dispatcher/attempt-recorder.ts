import { setTimeout as pause } from 'node:timers/promises';
import { systemCause, type Cause } from '../../activities/journal/cause';
import { groupBy } from '../../activities/webhooks/delivery/group-by';
import { KeyedSemaphore } from '../../runtime/load/keyed-semaphore';
import { retryFor } from '../../runtime/load/retry';
import type { Deps } from '../../runtime/process/deps';
import { recordAlone, recordTogether } from '../../activities/webhooks/delivery/record';
import { countOutcomes } from '../../activities/webhooks/metrics';
import type { AttemptResult } from '../../activities/webhooks/delivery/send';
import { rowsAtOnce } from '../../entities/database/sql';

type RecorderDeps = Pick<Deps, 'db' | 'clock' | 'config' | 'log' | 'metrics'>;

interface Waiting {
  result: AttemptResult;
  resolve: () => void;
}

/**
 * Writes results together: while one transaction commits, the next ones gather. While the database
 * is away it keeps trying: the results that it holds count as under way, so that nothing more is sent
 * than could be written down. What another transaction has locked is recorded alone, an endpoint at a
 * time, beside those that come next. Nothing is tried for longer than `giveUpMs`: later another
 * process has probably sent it again, and the result would not count.
 */
export class AttemptRecorder {
  private readonly alone: KeyedSemaphore;
  private waiting: Waiting[] = [];
  private isWriting = false;

  constructor(
    private readonly deps: RecorderDeps,
    private readonly options: { giveUpMs: number },
  ) {
    this.alone = new KeyedSemaphore({
      // Each of the endpoints whose results are recorded alone may wait for a lock.
      permits: 2,
      permitsPerKey: 1,
      maxWaitingPerKey: Infinity,
      maxWaitMs: options.giveUpMs,
    });
  }

  /** Resolves when the result is committed, or given up because its lease has run out. */
  record(result: AttemptResult): Promise<void> {
    return new Promise((resolve) => {
      this.waiting.push({ result, resolve });
      void this.writeAll();
    });
  }

  private async writeAll(): Promise<void> {
    if (this.isWriting) return;
    this.isWriting = true;
    while (this.waiting.length > 0) {
      // Receivers that are asked together answer at nearly the same time.
      await pause(2);
      const batch = this.waiting.slice(0, rowsAtOnce);
      this.waiting = this.waiting.slice(rowsAtOnce);
      await this.commit(batch);
    }
    this.isWriting = false;
  }

  private async commit(batch: readonly Waiting[]): Promise<void> {
    const left = await this.write((cause) =>
      recordTogether(this.deps.db.manager, cause, this.command(batch)),
    );
    const later = new Set(left);
    const isLater = ({ result }: Waiting): boolean => later.has(result);
    this.end(
      batch.filter((one) => !isLater(one)),
      left !== undefined,
    );
    const parts = groupBy(batch.filter(isLater), ({ result }) => result.claim.endpointId);
    for (const part of parts.values()) void this.commitAlone(part);
  }

  private async commitAlone(part: readonly Waiting[]): Promise<void> {
    const owner = part[0]?.result.claim.workspaceId ?? '';
    const isWritten = await this.write((cause) =>
      this.alone.run(owner, async () => {
        await recordAlone(this.deps.db.manager, cause, this.command(part));
        return true;
      }),
    );
    this.end(part, isWritten === true);
  }

  private command(batch: readonly Waiting[]) {
    const { breakerFailures } = this.deps.config.webhooks;
    return { results: batch.map(({ result }) => result), breakerFailures };
  }

  /** Undefined when it was given up. */
  private write<T>(work: (cause: Cause) => Promise<T>): Promise<T | undefined> {
    const { clock, log } = this.deps;
    const onRetry = (err: unknown): void =>
      log.warn({ err }, 'results of webhook attempts could not be written yet');
    return retryFor({ forMs: this.options.giveUpMs, onRetry }, () =>
      work(systemCause(clock.now())),
    ).catch(() => undefined);
  }

  private end(part: readonly Waiting[], isWritten: boolean): void {
    if (isWritten) countOutcomes(this.deps.metrics, this.command(part).results);
    part.forEach(({ resolve }) => resolve());
  }
}
