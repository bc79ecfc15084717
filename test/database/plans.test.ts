import { foldAnalytics } from '../../activities/analytics/fold';
import { dropOrphans, findDrift } from '../../activities/analytics/reconcile';
import { foldCommissionCounts } from '../../activities/commissions/day-counts';
import { readDueFigures } from '../../activities/figures/read';
import { figureReaders } from '../../activities/figures/readers';
import { outboxTopics } from '../../activities/journal/outbox';
import { claimWork, oldestWork } from '../../activities/journal/outbox-claims';
import { checkLedger } from '../../activities/maintenance/check-ledger';
import { purgeTable, purgedTables } from '../../activities/maintenance/purges';
import { repairPart } from '../../activities/maintenance/repair';
import { claimDue } from '../../activities/webhooks/delivery/claim';
import { routes } from '../../api/routes';
import { repairParts } from '../../runtime/temporal/messages';
import { useApp } from '../support/app';
import { connectAsOwner } from '../support/database';
import { callerOf, lists, pathOf, sizeOf, type Operation } from '../support/lists/operations';
import { explainAll, wasteOf, type Statements } from '../support/plans/explained';
import { known, untilAnalyzed, type Known } from '../support/plans/known';
import { fillAll, keepStatistics } from '../support/plans/fill';
import { buildWorld, type World } from '../support/world';

jest.setTimeout(300_000);

const rows = 20_000;
const mode = 'live';
const noId = '00000000-0000-0000-0000-000000000000';
const app = useApp();
let world: World;
let statements: Statements;

beforeAll(async () => {
  jest.spyOn(app.deps.log, 'error').mockImplementation(() => undefined);
  world = await buildWorld(app, { mode });
  // Sums, and below places, come to where they stand after some nights.
  await folds();
  await asOwner(keepStatistics);
  const filled = await asOwner((owner) => fillAll(owner, rows));
  // A table that the world knows nothing of is not looked at.
  expect(filled.length).toBeGreaterThan(40);
  await checks();
  statements = await explainAll(app.deps);
}, 300_000);

async function asOwner<T>(
  work: (owner: Awaited<ReturnType<typeof connectAsOwner>>) => Promise<T>,
): Promise<T> {
  const owner = await connectAsOwner(app.deps.config.databaseUrl);
  try {
    return await work(owner);
  } finally {
    await owner.end();
  }
}

async function checks(): Promise<void> {
  let after: string | null = null;
  do ({ after } = await checkLedger(app.deps, { after }));
  while (after !== null);
}

async function folds(): Promise<void> {
  const db = app.deps.db.manager;
  while ((await foldAnalytics(db, 2_000)) > 0);
  while ((await foldCommissionCounts(db)) > 0);
}

async function reconcile(): Promise<void> {
  const db = app.deps.db.manager;
  const hour = 3_600_000;
  const dayAgo = new Date(Math.floor(app.deps.clock.now().getTime() / hour - 24) * hour);
  await findDrift(db, dayAgo);
  await dropOrphans(db);
}

async function claims(): Promise<void> {
  const db = app.deps.db.manager;
  const now = app.deps.clock.now();
  for (const topic of outboxTopics) {
    const since = (await oldestWork(db, topic)) ?? now;
    const options = { topic, limit: 100, now, since, triedBelow: 3 };
    await claimWork(db, { ...options, afterWorkspace: null });
    await claimWork(db, { ...options, afterWorkspace: noId });
  }
  const room = { held: [], roomOf: new Map<string, number>(), room: 8, limit: 100 };
  await claimDue(db, { ...room, now, breakerFailures: 5, afterEndpointId: null });
}

const exports = routes.filter(({ name }) => name.startsWith('export'));

/** The first page, and one by its cursor. */
async function read(operation: Operation): Promise<void> {
  const caller = callerOf(app, world, operation, mode);
  const path = `${pathOf(world, operation)}&${sizeOf(operation)}=20`;
  const first = await caller.get<{ nextCursor: string | null }>(path);
  expect([operation.name, first.status]).toEqual([operation.name, 200]);
  const { nextCursor } = first.body;
  if (nextCursor) await caller.get(`${path}&cursor=${encodeURIComponent(nextCursor)}`);
}

async function exportAll(operation: Operation): Promise<void> {
  const caller = callerOf(app, world, operation, mode);
  const path = pathOf(world, operation).replace(/\?$/, '');
  const { status } = await (operation.method === 'get' ? caller.get(path) : caller.post(path));
  expect([operation.name, status < 500]).toEqual([operation.name, true]);
}

type Work = readonly [name: string, work: () => Promise<unknown>];

/** What recurs, and what is read of tables that grow; each finds its statements by being done. */
const works: readonly Work[] = [
  ...repairParts.map((part): Work => [`repair of ${part}`, () => repairPart(app.deps, part, null)]),
  ...purgedTables.map((table): Work => [
    `retention of ${table}`,
    () => purgeTable(app.deps.db.manager, table, app.deps.clock.now()),
  ]),
  ['figures', () => readDueFigures(app.deps, figureReaders, { everyMs: 0 })],
  ['folds', folds],
  ['check of ledgers', checks],
  ['comparison of analytics', reconcile],
  ['claims', claims],
  // The events of another biller lie in the table of Stripe's.
  ...lists
    .filter(({ path }) => !path.includes(':biller'))
    .map((operation): Work => [operation.name, () => read(operation)]),
  ...exports.map((operation): Work => [operation.name, () => exportAll(operation)]),
];

async function wasteIn(work: () => Promise<unknown>, accepted: readonly Known[]) {
  statements.take();
  await work();
  const all = statements.take();
  return [...new Set(all.flatMap((one) => wasteOf(one, accepted)))];
}

describe('of a table that was empty a minute ago', () => {
  it.each(works)('%s reads what it needs', async (_, work) => {
    expect(await wasteIn(work, [...known, ...untilAnalyzed])).toEqual([]);
  });
});

describe('with statistics of what is there', () => {
  beforeAll(() => asOwner((owner) => owner.query('ANALYZE')));

  it.each(works)('%s reads what it needs', async (_, work) => {
    expect(await wasteIn(work, known)).toEqual([]);
  });
});
