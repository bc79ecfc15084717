import { setTimeout as pause } from 'node:timers/promises';
import { repairOverdue } from '../../activities/maintenance/repair';
import type { Deps } from '../../runtime/process/deps';
import type { Stoppable } from '../../runtime/process/process';

interface Task {
  name: string;
  everyMs: number;
  run: (deps: Deps) => Promise<unknown>;
}

/** Long enough for Temporal and its schedule to have done it. */
const longOverdueMs = 5 * 60_000;
const batchesAtMost = 500;

/** What must go on without Temporal: the end of holds while it is away. */
const usualTasks: readonly Task[] = [{ name: 'overdue', everyMs: 60_000, run: advanceLongOverdue }];

export function startUpkeep(deps: Deps, tasks = usualTasks): Stoppable {
  const stop = new AbortController();
  const { signal } = stop;
  const loops = tasks.map(async ({ name, everyMs, run }) => {
    while (!signal.aborted) {
      await run(deps).catch((error: unknown) => {
        deps.log.warn({ err: error, task: name }, 'the upkeep did not succeed; it is tried again');
      });
      await pause(everyMs, undefined, { signal }).catch(() => undefined);
    }
  });
  return {
    async stop() {
      stop.abort();
      await Promise.all(loops);
    },
  };
}

export async function advanceLongOverdue(deps: Deps): Promise<number> {
  let cursor: string | null = null;
  let advanced = 0;
  for (let batch = 0; batch < batchesAtMost && !deps.lifecycle.stopping; batch += 1) {
    const found = await repairOverdue(deps, { cursor, overdueAfterMs: longOverdueMs });
    advanced += found.repaired;
    cursor = found.cursor;
    if (!found.more) break;
  }
  return advanced;
}
