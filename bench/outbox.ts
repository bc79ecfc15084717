import { setTimeout as sleep } from 'node:timers/promises';
import { Client } from 'pg';
import { outboxTopics, type OutboxTopic } from '../activities/journal/outbox';
import type { OpenDeps } from '../runtime/process/deps';
import { newId } from '../entities/ids';
import { execute, query } from '../entities/database/sql';
import type { TopicHandler } from '../workers/relay/process-claim';
import { startRelay, type RelayHandlers } from '../workers/relay/relay';
import { runBench, type Stage } from './support/stage';
import { printRatios, quantile } from './support/table';

/**
 * Time from the commit of a row of the outbox until its handler has it: while an old snapshot keeps
 * vacuum from cleaning up behind one row of each topic that is delayed and one that always fails, and
 * beside a row that always fails alone. The handlers do nothing: what they lead to has limits of its own.
 *
 *   npm run bench outbox [minutes that the snapshot is held, default 2] [seconds of the rest, default 20]
 */
const minutes = Number(process.argv[2] ?? 2);
const seconds = Number(process.argv[3] ?? 20);
const target = 2;
/** How often it says how it goes. */
const progressSeconds = 120;
/** Commits a second, each with a row of every topic, of one workspace of these. */
const rate = 25;
const workspaces = Array.from({ length: 20 }, () => newId());

type Waits = Map<OutboxTopic, number[]>;

interface World {
  deps: OpenDeps;
  /** When each row was committed. */
  committed: Map<string, number>;
  poison: Set<string>;
  delayed: Set<string>;
  waits: Waits;
}

async function main(stage: Stage): Promise<void> {
  const deps = await stage.openDeps({ LOG_LEVEL: 'fatal' });
  const world: World = {
    deps,
    committed: new Map(),
    poison: new Set(),
    delayed: new Set(),
    waits: new Map(),
  };
  const relay = startRelay(deps, handlersOf(world));
  try {
    await measure(world, Math.min(5, seconds));
    const before = await measure(world, seconds);
    progress('before', before);
    const held = await withSnapshot(stage.databaseUrl, async () => {
      await addPoison(world);
      await addDelayed(world);
      for (let left = minutes * 60 - seconds; left > 0; left -= progressSeconds) {
        progress('held', await measure(world, Math.min(left, progressSeconds)));
      }
      return measure(world, seconds);
    });
    await removeWaiting(world);
    await execute(deps.db.manager, 'VACUUM outbox');
    const alone = await measure(world, seconds);
    await addPoison(world);
    const beside = await measure(world, seconds);

    console.log(
      `\nA snapshot held for ${minutes} minutes, the last ${seconds} s of them,` +
        ' with a row of each topic inside that is delayed and one that always fails:',
    );
    printRatios(ratiosOf(before, held));
    console.log('\nA row of each topic that always fails:');
    printRatios(ratiosOf(alone, beside));
    await verify(world);
  } finally {
    await relay.stop();
  }
}

function progress(when: string, waits: Waits): void {
  const all = [...waits.values()].flat();
  const [p50, p99] = [quantile(all, 0.5), quantile(all, 0.99)];
  console.error(`${when}: p50 ${p50.toFixed(1)} ms, p99 ${p99.toFixed(1)} ms`);
}

function handlersOf(world: World): RelayHandlers {
  const handlerOf = (topic: OutboxTopic): TopicHandler => ({
    handle(work) {
      if (work.some(({ ref }) => world.poison.has(ref))) throw new Error('poison');
      if (work.some(({ ref }) => world.delayed.has(ref))) throw new Error('too early');
      const now = performance.now();
      for (const { ref } of work) {
        // A row that arrives before its commit is reported waited for nothing.
        const wait = now - (world.committed.get(ref) ?? now);
        world.waits.get(topic)?.push(wait);
        world.committed.delete(ref);
      }
      return Promise.resolve(work.map(({ id }) => id));
    },
  });
  return Object.fromEntries(
    outboxTopics.map((topic) => [topic, handlerOf(topic)]),
  ) as unknown as RelayHandlers;
}

/** Commits at the rate for so long, and gives how long the rows of each topic waited. */
async function measure(world: World, forSeconds: number): Promise<Waits> {
  world.waits = new Map(outboxTopics.map((topic) => [topic, []]));
  const begin = performance.now();
  const commits: Promise<void>[] = [];
  for (let turn = 0; turn < forSeconds * rate; turn += 1) {
    await sleep(Math.max(0, begin + (turn * 1_000) / rate - performance.now()));
    commits.push(commit(world, workspaces[turn % workspaces.length] ?? ''));
  }
  await Promise.all(commits);
  // What is under way still counts for this step.
  for (let turn = 0; turn < 200 && world.committed.size > 0; turn += 1) await sleep(10);
  return world.waits;
}

async function commit(world: World, workspaceId: string): Promise<void> {
  const refs = outboxTopics.map(() => newId());
  await insert(world, refs, { workspaceId });
  const now = performance.now();
  refs.forEach((ref) => world.committed.set(ref, now));
}

async function insert(
  { deps }: World,
  refs: string[],
  { workspaceId = workspaces[0], delay = '0' }: { workspaceId?: string; delay?: string } = {},
): Promise<void> {
  await execute(
    deps.db.manager,
    `INSERT INTO outbox (topic, ref, workspace_id, available_at)
     SELECT topic, ref, $3, now() + $4::interval
       FROM unnest($1::text[], $2::uuid[]) AS row (topic, ref)`,
    [outboxTopics, refs, workspaceId, delay],
  );
}

async function addPoison(world: World): Promise<void> {
  const refs = outboxTopics.map(() => newId());
  refs.forEach((ref) => world.poison.add(ref));
  await insert(world, refs);
}

async function addDelayed(world: World): Promise<void> {
  const refs = outboxTopics.map(() => newId());
  refs.forEach((ref) => world.delayed.add(ref));
  await insert(world, refs, { delay: '10 hours' });
}

/** What waits for a time of its own must still be there. */
async function removeWaiting({ deps, poison, delayed }: World): Promise<void> {
  const refs = [...poison, ...delayed];
  const sql = 'DELETE FROM outbox WHERE ref = ANY($1::uuid[])';
  const removed = await execute(deps.db.manager, sql, [refs]);
  if (removed !== refs.length) throw new Error('a row that waits has gone');
  poison.clear();
  delayed.clear();
}

async function withSnapshot<T>(url: string, work: () => Promise<T>): Promise<T> {
  const holder = new Client({ connectionString: url });
  await holder.connect();
  await holder.query('BEGIN ISOLATION LEVEL REPEATABLE READ');
  await holder.query('SELECT 1 FROM outbox LIMIT 1');
  try {
    return await work();
  } finally {
    await holder.end();
  }
}

function ratiosOf(without: Waits, seen: Waits) {
  const all = (waits: Waits): number[] => [...waits.values()].flat();
  const pairs: [string, number[], number[]][] = [
    ['all topics', all(without), all(seen)],
    ...outboxTopics.map((topic): [string, number[], number[]] => [
      topic,
      without.get(topic) ?? [],
      seen.get(topic) ?? [],
    ]),
  ];
  return pairs.flatMap(([figure, before, after]) =>
    (figure === 'all topics' ? [0.5, 0.99] : [0.99]).map((share) => ({
      figure: `${figure}, p${share * 100}`,
      without: quantile(before, share),
      with: quantile(after, share),
      target,
    })),
  );
}

/** What was committed was carried, but for the poison, which is still there to be seen. */
async function verify({ deps, poison }: World): Promise<void> {
  const left = await query<{ ref: string; attempts: number }>(
    deps.db.manager,
    'SELECT ref, attempts FROM outbox',
  );
  const stray = left.filter(({ ref }) => !poison.has(ref));
  if (stray.length > 0) throw new Error(`${stray.length} rows were not carried`);
  if (left.length !== poison.size) throw new Error('a row that fails has gone');
  if (left.some(({ attempts }) => attempts < 2)) throw new Error('a row was not tried again');
}

runBench(main);
