import type { ServerResponse } from 'node:http';
import { liveSessions } from '../../../activities/credentials/principals';
import type { Deps } from '../../../runtime/process/deps';
import { sides, type Side } from '../../../entities/rules/accounts/accounts';
import { hasRole } from '../../../entities/rules/values/roles';
import { createFeeds, type Feeds } from './feeds';
import { idOfPlace, readNews, readVersions, startOf, type Start } from './news.queries';
import { leavePlace, maxStreams, takePlace } from './places';
import {
  beat,
  begin,
  deliver,
  endAsOneTooMany,
  newStream,
  rendered,
  type LiveStream,
  type Viewer,
} from './stream';

export type HubDeps = Pick<Deps, 'db' | 'redis' | 'clock' | 'log'>;

/** Accounts whose news one statement reads. */
const readersAtOnce = 500;
/**
 * Seconds between two checks of the streams' credentials, and of the table, which is read though
 * Redis announces news.
 */
const sessionsEvery = 5;
const versionsEvery = 10;

/**
 * The open streams of one process. News is always read from the table, for many streams at a time;
 * Redis only says that it is worth looking. Without Redis every tick looks.
 */
export class StreamHub {
  private readonly streams = new Set<LiveStream>();
  private readonly stale = new Set<LiveStream>();
  private readonly feeds: Feeds;
  private timer: NodeJS.Timeout | undefined;
  private ticks = 0;
  private isRefreshing = false;
  private isClosed = false;

  constructor(private readonly deps: HubDeps) {
    this.feeds = createFeeds(deps.redis, {
      onMessage: (streams, message) => this.hear(streams, message),
      onConnected: () => void this.attempt(() => this.findChanged()),
    });
  }

  /** Answers with a stream that goes on after the event that the client saw last. */
  async open(viewer: Viewer, out: ServerResponse, lastEventId: string | undefined): Promise<void> {
    const stream = newStream(viewer, out);
    this.timer ??= setInterval(() => this.tick(), 1_000).unref();
    this.streams.add(stream);
    out.once('close', () => this.leave(stream));
    out.on('drain', () => {
      stream.blockedSince = undefined;
      this.markStale(stream);
    });
    let start: Start;
    try {
      await this.feeds.add(stream);
      start = await startOf(this.deps.db.manager, viewer, lastEventId);
    } catch (error) {
      this.leave(stream);
      throw error;
    }
    if (out.destroyed) return this.leave(stream);
    stream.cursor = start.after;
    begin(stream, start.isNamed ? undefined : idOfPlace(start.after));
    if (this.isClosed) out.end();
    this.markStale(stream);
    this.endOldest(viewer);
    await takePlace(this.deps.redis, stream);
  }

  /** Ends all streams, and those that begin from now on. */
  close(): void {
    this.isClosed = true;
    clearInterval(this.timer);
    for (const { out } of this.streams) out.end();
  }

  private hear(streams: ReadonlySet<LiveStream>, message: string): void {
    for (const stream of streams) {
      const { mode } = stream.viewer;
      if (message === `end:${stream.id}`) endAsOneTooMany(stream);
      else if (message === 'both' || message === mode) this.markStale(stream);
    }
  }

  private markStale(stream: LiveStream): void {
    this.stale.add(stream);
    if (this.isRefreshing) return;
    this.isRefreshing = true;
    setImmediate(() => void this.refresh());
  }

  /** One loop at a time: what becomes stale meanwhile is taken by its next round. */
  private async refresh(): Promise<void> {
    while (this.stale.size > 0) {
      const groups = alike(this.stale, readersAtOnce);
      for (const stream of groups.flat()) this.stale.delete(stream);
      const ready = groups.map((group) => group.filter(isReady)).filter(({ length }) => length > 0);
      await this.attempt(() => this.refreshSome(ready));
    }
    this.isRefreshing = false;
  }

  /** The streams of a group get the same, so it is read and written out once for all of them. */
  private async refreshSome(groups: readonly LiveStream[][]): Promise<void> {
    const followers = groups.flatMap(([first]) => {
      if (!first) return [];
      const { viewer, cursor = 0 } = first;
      const { feedId, accountId, mode, isAdmin } = viewer;
      return [{ feedId, accountId, mode, isAdmin, after: cursor }];
    });
    if (followers.length === 0) return;
    // Twenty of the longest notifications stay below what may wait for a reader.
    const news = await readNews(this.deps.db.manager, followers, 20);
    groups.forEach((group, index) => {
      const own = news[index];
      if (!own) return;
      const { seen, isAll } = own;
      const text = rendered(own);
      for (const stream of group.filter(isReady)) {
        deliver(stream, { text, unread: own.unread });
        stream.cursor = Math.max(stream.cursor ?? 0, seen);
        if (!isAll) this.markStale(stream);
      }
    });
  }

  /** What Redis did not announce: every stream that knows less than its feed has. */
  private async findChanged(): Promise<void> {
    const feedIds = [...this.feeds.byId.keys()];
    if (feedIds.length === 0) return;
    const versions = await readVersions(this.deps.db.manager, feedIds);
    for (const [feedId, streams] of this.feeds.byId) {
      const version = versions.get(feedId) ?? 0;
      for (const stream of streams) {
        const knowsLess = stream.unread === undefined || (stream.cursor ?? 0) < version;
        if (isReady(stream) && knowsLess) this.markStale(stream);
      }
    }
  }

  /** A stream ends with its token, its session, its account; a changed role shows other news. */
  private async checkSessions(): Promise<void> {
    for (const side of sides) {
      const bySession = new Map<string, LiveStream[]>();
      for (const stream of this.streams) {
        const { side: own, sessionId } = stream.viewer;
        if (own !== side) continue;
        const known = bySession.get(sessionId);
        if (known) known.push(stream);
        else bySession.set(sessionId, [stream]);
      }
      const sessions = [...bySession.values()];
      for (let first = 0; first < sessions.length; first += readersAtOnce) {
        await this.checkSome(side, sessions.slice(first, first + readersAtOnce));
      }
    }
  }

  /** Each group is the streams of one session. */
  private async checkSome(side: Side, groups: readonly LiveStream[][]): Promise<void> {
    const now = this.deps.clock.now();
    const asked = groups.flatMap(([first]) => (first ? [first.viewer] : []));
    const alive = await liveSessions(this.deps.db.manager, side, { asked, now });
    for (const { viewer, out } of groups.flat()) {
      const session = alive.get(viewer.sessionId);
      if (!session || viewer.tokenExpiresAt <= now) out.end();
      else viewer.isAdmin = session.role !== undefined && hasRole(session.role, 'admin');
    }
  }

  private tick(): void {
    this.ticks += 1;
    const now = performance.now();
    for (const stream of this.streams) beat(stream, now);
    if (this.ticks % sessionsEvery === 0) void this.attempt(() => this.checkSessions());
    if (!this.feeds.isListening() || this.ticks % versionsEvery === 0) {
      void this.attempt(() => this.findChanged());
    }
  }

  /** What fails now is found at a later tick: the cursors have not moved. */
  private async attempt(work: () => Promise<void>): Promise<void> {
    try {
      await work();
    } catch (error) {
      this.deps.log.warn({ err: error }, 'streams could not be brought up to date');
    }
  }

  /** The limit within this process; takePlace keeps it over all of them. */
  private endOldest({ feedId, accountId }: Viewer): void {
    const own = [...(this.feeds.byId.get(feedId) ?? [])].filter(
      ({ viewer, out }) => viewer.accountId === accountId && !out.writableEnded,
    );
    for (const stream of own.slice(0, -maxStreams)) endAsOneTooMany(stream);
  }

  private leave(stream: LiveStream): void {
    this.streams.delete(stream);
    this.stale.delete(stream);
    this.feeds.remove(stream);
    void leavePlace(this.deps.redis, stream);
  }
}

/** Groups streams that get the same: those of one account, hence one feed, that are at the same cursor. */
function alike(streams: Iterable<LiveStream>, max: number): LiveStream[][] {
  const groups = new Map<string, LiveStream[]>();
  for (const stream of streams) {
    const { accountId, mode, isAdmin } = stream.viewer;
    const key = `${accountId} ${mode} ${isAdmin} ${stream.cursor}`;
    const known = groups.get(key);
    if (known) known.push(stream);
    else if (groups.size < max) groups.set(key, [stream]);
  }
  return [...groups.values()];
}

function isReady({ out, cursor, blockedSince }: LiveStream): boolean {
  return cursor !== undefined && blockedSince === undefined && !out.writableEnded && !out.destroyed;
}
