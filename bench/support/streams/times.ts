import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type { Notice } from '../../../activities/notifications/notice';
import { writeNotices } from '../../../activities/notifications/notify';
import { wakeStreams } from '../../../activities/notifications/wake';
import type { RedisLink } from '../../../runtime/connections/redis';
import { newId } from '../../../entities/ids';
import { transaction } from '../../../entities/database/sql';
import type { Stage } from '../stage';
import { monotonicMs } from '../sink';
import { quantile } from '../table';
import type { CrowdAnswer, CrowdCommand } from './crowd';
import type { Follower } from './world';

const broadcasts = 5;

export interface Setting {
  stage: Stage;
  redis: RedisLink;
  /** How many streams are open, spread evenly over the followers. */
  streams: number;
  followers: Follower[];
  crowd: Crowd;
}

export interface Figure {
  figure: string;
  seen: string;
  target: string;
}

export function followerOf(followers: readonly Follower[], stream: number): Follower {
  const follower = followers[stream % followers.length];
  if (!follower) throw new Error('there are no accounts');
  return follower;
}

/** One transaction that writes to every feed; from its commit to the last stream. */
export async function measureBroadcasts(setting: Setting) {
  const { crowd, followers, streams } = setting;
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
  const row = { figure: `one event for all (${feeds.length} feeds)`, seen, target: '300 ms' };
  return { receipts: streams * broadcasts, rows: [row] };
}

/** Each for one feed, at an even rate; those that are due at a time share a transaction. */
export async function measureTargeted(setting: Setting, { seconds, perSecond }: Load) {
  const { crowd, followers, streams } = setting;
  const sent: Sent[] = [];
  const count = seconds * perSecond;
  const began = monotonicMs();
  while (sent.length < count) {
    const due = Math.min(count, Math.ceil(((monotonicMs() - began) * perSecond) / 1_000));
    const targets = Array.from({ length: due - sent.length }, () =>
      followerOf(followers, Math.floor(Math.random() * followers.length)),
    );
    if (targets.length > 0) sent.push(...(await notify(setting, targets)));
    await pause(1_000 / perSecond);
  }
  const rate = (1_000 * count) / (monotonicMs() - began);
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
  const at = (share: number): string => `${quantile(times, share).toFixed(1)} ms`;
  const rows = [
    { figure: `targeted at ${rate.toFixed(0)}/s, p50`, seen: at(0.5), target: '' },
    { figure: `${times.length} receipts, p99`, seen: at(0.99), target: '100 ms' },
  ];
  return { receipts: times.length, rows };
}

export interface Load {
  seconds: number;
  perSecond: number;
}

interface Sent {
  feedId: string;
  causeId: string;
  committed: number;
}

/** Notifies as the relay does: the rows in one transaction, and after its commit the word to the streams. */
async function notify({ stage, redis }: Setting, to: readonly Follower[]): Promise<Sent[]> {
  const notices = to.map((follower) => noticeFor(follower, newId()));
  const now = new Date();
  const news = await transaction(stage.db, (tx) => writeNotices(tx, { now }, notices));
  const committed = monotonicMs();
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
  const end = monotonicMs() + 60_000;
  for (;;) {
    const { receipts } = await crowd.ask({ kind: 'count' }, 'count');
    if (receipts >= total) return;
    if (monotonicMs() > end) throw new Error(`${receipts} of ${total} notifications have arrived`);
    await pause(20);
  }
}

function assertEachOnce(reached: readonly number[], wanted: readonly number[]): void {
  const found = [...reached].sort((a, b) => a - b);
  if (found.length === wanted.length && wanted.every((stream, n) => stream === found[n])) return;
  throw new Error(`a notification reached ${found.length} streams instead of ${wanted.length}`);
}

export interface Crowd {
  ask<K extends CrowdAnswer['kind']>(
    command: CrowdCommand,
    kind: K,
  ): Promise<Extract<CrowdAnswer, { kind: K }>>;
  stop(): void;
}

export function startCrowd(): Crowd {
  const script = path.join(__dirname, 'crowd.js');
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
