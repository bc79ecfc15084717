import type { Database } from '../../entities/database/database';
import { dropOrphans, findDrift } from '../../activities/analytics/reconcile';
import { checkLedger } from '../../activities/maintenance/check-ledger';
import { repairPart } from '../../activities/maintenance/repair';
import type { Deps } from '../../runtime/process/deps';
import { createLogger } from '../../runtime/observe/logger';
import { createMetrics } from '../../runtime/observe/metrics';
import type { RepairPart } from '../../runtime/temporal/messages';
import { breakLedger, breakSum, brokenParts, mendSums } from './faults';

const hourMs = 3_600_000;
const maxBatches = 100;

/** What the activities of the schedules use; of all workflows none is open. */
function depsAt(db: Database, now: Date, metrics: Deps['metrics']): Deps {
  const list = async function* () {
    yield* await Promise.resolve([]);
  };
  return {
    db,
    metrics,
    clock: { now: () => now },
    log: createLogger({ level: 'fatal', process: 'year' }),
    temporal: { client: { workflow: { list } } },
  } as unknown as Deps;
}

const metrics = createMetrics('year');

/** One run of each repair; gives how many each repaired. */
export async function repairAll(
  db: Database,
  now: Date,
  timed: <T>(name: string, work: () => Promise<T>) => Promise<T>,
): Promise<Record<string, number>> {
  const deps = depsAt(db, now, metrics);
  const run = async (part: RepairPart): Promise<number> => {
    let [cursor, repaired] = [null as string | null, 0];
    for (let batch = 0; batch < maxBatches; batch += 1) {
      const found = await repairPart(deps, part, cursor);
      cursor = found.cursor;
      repaired += found.repaired;
      if (!found.more) break;
    }
    return repaired;
  };
  const all: Record<string, number> = {};
  for (const part of brokenParts) all[part] = await timed(`repair of ${part}`, () => run(part));
  return all;
}

/** The checks of a night find what is wrong, and nothing once it is right. */
export async function checkAll(
  db: Database,
  now: Date,
  timed: <T>(name: string, work: () => Promise<T>) => Promise<T>,
): Promise<void> {
  const deps = depsAt(db, now, metrics);
  const ledger = async (): Promise<number> => {
    let [after, wrong] = [null as string | null, 0];
    do {
      const checked = await checkLedger(deps, { after, share: 1 });
      ({ after } = checked);
      wrong += checked.wrong;
    } while (after !== null);
    return wrong;
  };
  const yesterday = Math.floor(now.getTime() / (24 * hourMs)) * 24 - 24;
  const analytics = async (): Promise<number> => {
    let drift = 0;
    for (let hour = yesterday; hour < yesterday + 24; hour += 1) {
      drift += (await findDrift(db.manager, new Date(hour * hourMs))).length;
    }
    return drift;
  };
  const both = async (): Promise<number[]> => [
    await timed('check of the ledger', ledger),
    await timed('comparison of analytics', analytics),
  ];
  await breakLedger(db.manager);
  await breakSum(db.manager, new Date(yesterday * hourMs));
  const wrong = await both();
  await mendSums(db.manager);
  const left = await both();
  if (
    String([wrong, left]) !==
    String([
      [1, 1],
      [0, 0],
    ])
  ) {
    throw new Error(
      `${now.toISOString()}: the checks found ${wrong.join(', ')}, then ${left.join(', ')}`,
    );
  }
  while ((await timed('orphans of analytics', () => dropOrphans(db.manager))) > 0);
}
