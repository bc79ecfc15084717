import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { writeNotices } from '../activities/notifications/notify';
import type { Notice } from '../activities/notifications/notice';
import { wakeStreams } from '../activities/notifications/wake';
import { openRedis, type RedisLink } from '../activities/runtime/connections/redis';
import { loadConfig } from '../activities/runtime/process/config';
import { createLogger } from '../activities/runtime/process/logger';
import { newId } from '../entities/ids';
import { transaction } from '../entities/database/sql';
import { claimAnyPort } from '../stack/parts/ports';
import { load } from './support/load';
import { openStage, type Stage } from './support/stage';
import {
  machineNow,
  openFilesLimit,
  type CrowdAnswer,
  type CrowdCommand,
} from './support/stream-crowd';
import { seedFollowers, type Follower } from './support/stream-world';

/**
 * Open streams on one API process: its memory, the time until one event has reached all of them,
 * and the time of targeted notifications while they are open. Ten streams an account. Fails when a
 * stream misses a notification, or gets one twice or one of others.
 *
 *   node bench/run.mjs streams [streams, default 10,000] [seconds, default 20] [a second, default 200]
 */
const streams = Number(process.argv[2] ?? 10_000);
const seconds = Number(process.argv[3] ?? 20);
const perSecond = Number(process.argv[4] ?? 200);
const streamsOfAccount = 10;
const broadcasts = 5;
const megabyte = 1024 * 1024;

interface Setting {
  stage: Stage;
  redis: RedisLink;
  followers: Follower[];
  crowd: Crowd;
}

async function main(): Promise<void> {
  checkLimits();
  const stage = await openStage();
  const log = createLogger({ level: 'warn', process: 'bench' });
  const { redisPrefix: prefix } = loadConfig({ ...process.env, ...stage.secrets });
  const redis = await openRedis({ url: stage.redisUrl, prefix, commandTimeoutMs: 5_000 }, log);
  const crowd = startCrowd();
  try {
    const accounts = Math.ceil(streams / streamsOfAccount);
    const followers = await seedFollowers(stage.db.manager, accounts, stage.secrets);
    const setting = { stage, redis, followers, crowd };
    const rows = [...(await measureMemory(setting)), await measureBroadcasts(setting)];
    console.table([...rows, ...(await measureTargeted(setting))]);
    const { ended } = await crowd.ask({ kind: 'count' }, 'count');
    if (ended > 0) throw new Error(`${ended} streams ended by themselves`);
  } finally {
    crowd.stop();
    await redis.close();
    await stage.close();
  }
}

/** Node raises its soft limit to the hard one by itself; both processes hold one end of each. */
function checkLimits(): void {
  const needed = streams + 200;
  if (openFilesLimit() >= needed) return;
  throw new Error(
    `${streams} streams need ${needed} open files a process, and this shell allows ` +
      `${openFilesLimit()}: raise the limit (ulimit -n ${needed}) or measure fewer streams`,
  );
}

interface Figure {
  figure: string;
  seen: string;
  target: string;
}

async function measureMemory({ stage, followers, crowd }: Setting): Promise<Figure[]> {
  const adminPort = String(await claimAnyPort());
  const origin = await stage.serve('api/main.js', {
    ADMIN_PORT: adminPort,
    MAX_CONNECTIONS: String(streams + 1_000),
  });
  // Code is compiled and the nursery has grown before the streams come.
  const [first] = followers;
  const headers = { Authorization: `Bearer ${first?.token ?? ''}` };
  await load({
    url: origin,
    connections: 32,
    seconds: 3,
    makeRequest: () => ({ method: 'GET', path: pathOf(first?.side ?? 'merchant'), headers }),
  });
  const read = () => memoryOf(stage.pidOf(origin), adminPort);
  const before = await read();
  const began = machineNow();
  await crowd.ask(
    {
      kind: 'open',
      origin,
      streams: Array.from({ length: streams }, (_, index) => {
        const { side, token } = followerOf(followers, index);
        return { path: `${pathOf(side)}/stream`, token };
      }),
    },
    'opened',
  );
  const took = machineNow() - began;
  await pause(5_000);
  const after = await read();
  const perStream = (1024 * (after.rss - before.rss)) / streams;
  return [
    { figure: `${streams} streams open after`, seen: `${(took / 1_000).toFixed(1)} s`, target: '' },
    { figure: 'RSS before -> after', seen: mb(before.rss, after.rss), target: '250 MB more' },
    { figure: 'heap before -> after', seen: mb(before.heap, after.heap), target: '' },
    { figure: 'RSS a stream', seen: `${perStream.toFixed(1)} kB`, target: '25 kB' },
  ];
}

function mb(before: number, after: number): string {
  return `${before.toFixed(0)} -> ${after.toFixed(0)} MB (+${(after - before).toFixed(0)})`;
}

function pathOf(side: Follower['side']): string {
  return side === 'merchant' ? '/api/v1/notifications' : '/api/v1/partner/notifications';
}

function followerOf(followers: readonly Follower[], stream: number): Follower {
  const follower = followers[stream % followers.length];
  if (!follower) throw new Error('there are no accounts');
  return follower;
}

/** In megabytes. */
async function memoryOf(pid: number, adminPort: string): Promise<{ rss: number; heap: number }> {
  const rss = /VmRSS:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1];
  const metrics = await (await fetch(`http://127.0.0.1:${adminPort}/metrics`)).text();
  const heap = /^nodejs_heap_size_used_bytes\S* (\S+)/m.exec(metrics)?.[1];
  return { rss: Number(rss) / 1024, heap: Number(heap) / megabyte };
}

/** One transaction that writes to every feed; from its commit to the last stream. */
async function measureBroadcasts(setting: Setting): Promise<Figure> {
  const { crowd, followers } = setting;
  const feeds = [...new Map(followers.map((one) => [one.feedId, one])).values()];
  const times: number[] = [];
  for (let turn = 0; turn < broadcasts; turn += 1) {
    const sent = await notify(setting, feeds);
    await untilReceived(crowd, streams * (turn + 1));
    const reached: number[] = [];
    let last = 0;
    for (const { causeId } of sent) {
      const { streams: some, at } = await crowd.ask({ kind: 'take', causeId }, 'taken');
      reached.push(...some);
      last = Math.max(last, ...at);
    }
    assertEachOnce(
      reached,
      Array.from({ length: streams }, (_, index) => index),
    );
    times.push(last - (sent[0]?.committed ?? 0));
    await pause(1_000);
  }
  times.sort((a, b) => a - b);
  const seen = `${times.map((time) => time.toFixed(0)).join(', ')} ms`;
  return { figure: `one event for all (${feeds.length} feeds)`, seen, target: '300 ms' };
}

/** Each for one feed, at an even rate; those that are due at a time share a transaction. */
async function measureTargeted(setting: Setting): Promise<Figure[]> {
  const { crowd, followers } = setting;
  const sent: Sent[] = [];
  const count = seconds * perSecond;
  const began = machineNow();
  while (sent.length < count) {
    const due = Math.min(count, Math.ceil(((machineNow() - began) * perSecond) / 1_000));
    const targets = Array.from({ length: due - sent.length }, () =>
      followerOf(followers, Math.floor(Math.random() * followers.length)),
    );
    if (targets.length > 0) sent.push(...(await notify(setting, targets)));
    await pause(1_000 / perSecond);
  }
  const rate = (1_000 * count) / (machineNow() - began);
  const streamsOf = new Map<string, number[]>();
  for (let stream = 0; stream < streams; stream += 1) {
    const { feedId } = followerOf(followers, stream);
    streamsOf.set(feedId, [...(streamsOf.get(feedId) ?? []), stream]);
  }
  const expected = sent.reduce((sum, one) => sum + (streamsOf.get(one.feedId)?.length ?? 0), 0);
  await untilReceived(crowd, streams * broadcasts + expected);
  const times: number[] = [];
  for (const { causeId, committed, feedId } of sent) {
    const { streams: reached, at } = await crowd.ask({ kind: 'take', causeId }, 'taken');
    assertEachOnce(reached, streamsOf.get(feedId) ?? []);
    times.push(...at.map((moment) => moment - committed));
  }
  times.sort((a, b) => a - b);
  const quantile = (share: number): string =>
    `${(times[Math.floor(times.length * share)] ?? 0).toFixed(1)} ms`;
  return [
    { figure: `targeted at ${rate.toFixed(0)}/s, p50`, seen: quantile(0.5), target: '' },
    { figure: `${times.length} receipts, p99`, seen: quantile(0.99), target: '100 ms' },
  ];
}

interface Sent {
  feedId: string;
  causeId: string;
  committed: number;
}

/** As the relay does it: the rows in one transaction, and after its commit the word to the streams. */
async function notify({ stage, redis }: Setting, to: readonly Follower[]): Promise<Sent[]> {
  const notices = to.map((follower) => noticeFor(follower, newId()));
  const now = new Date();
  const news = await transaction(stage.db, (tx) => writeNotices(tx, notices, now));
  const committed = machineNow();
  await wakeStreams(redis, news);
  return notices.map(({ feedId, causeId }) => ({ feedId, causeId, committed }));
}

function noticeFor({ side, feedId }: Follower, causeId: string): Notice {
  return {
    side,
    feedId,
    type: side === 'merchant' ? 'conversion.created' : 'commission.created',
    causeId,
    mode: 'live',
    workspaceId: feedId,
    participantId: null,
    data: { programId: causeId },
    facts: {
      programName: 'Bench',
      partnerName: 'Pat',
      amount: { amountCents: 1, currency: 'eur' },
    },
  };
}

async function untilReceived(crowd: Crowd, total: number): Promise<void> {
  const end = machineNow() + 60_000;
  for (;;) {
    const { receipts } = await crowd.ask({ kind: 'count' }, 'count');
    if (receipts >= total) return;
    if (machineNow() > end) throw new Error(`${receipts} of ${total} notifications have arrived`);
    await pause(20);
  }
}

function assertEachOnce(reached: readonly number[], wanted: readonly number[]): void {
  const found = [...reached].sort((a, b) => a - b);
  if (found.length === wanted.length && wanted.every((stream, n) => stream === found[n])) return;
  throw new Error(`a notification reached ${found.length} streams instead of ${wanted.length}`);
}

interface Crowd {
  ask<K extends CrowdAnswer['kind']>(
    command: CrowdCommand,
    kind: K,
  ): Promise<Extract<CrowdAnswer, { kind: K }>>;
  stop(): void;
}

function startCrowd(): Crowd {
  const script = path.join(__dirname, 'support', 'stream-crowd.js');
  const child: ChildProcess = fork(script);
  return {
    async ask(command, kind) {
      child.send(command);
      const [answer] = (await once(child, 'message')) as [CrowdAnswer];
      if (answer.kind === 'failed') throw new Error(answer.reason);
      if (answer.kind !== kind) throw new Error(`the readers answered ${answer.kind}`);
      return answer as Extract<CrowdAnswer, { kind: typeof kind }>;
    },
    stop: () => child.kill(),
  };
}

main().catch((error: unknown) => {
  console.error(error);
  process.exitCode = 1;
});
