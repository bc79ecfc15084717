import { IncomingMessage, ServerResponse } from 'node:http';
import { connect, Socket } from 'node:net';
import { once } from 'node:events';
import {
  beat,
  deliver,
  newStream,
  rendered,
  type LiveStream,
} from '../../../api/notifications/live/stream';
import { wakeStreams } from '../../../activities/notifications/wake';
import { execute } from '../../../entities/database/sql';
import { newId } from '../../../entities/ids';
import { startTestApp, type TestApp } from '../../support/app';
import { buildMember, signIn } from '../../support/build/accounts';
import { openStream, until } from '../../support/answers/event-stream';

const path = '/api/v1/notifications/stream';

function openOnPaper(): LiveStream {
  const viewer = {
    side: 'merchant',
    feedId: newId(),
    accountId: newId(),
    mode: 'live',
    isAdmin: false,
    sessionId: newId(),
    tokenExpiresAt: new Date(Date.now() + 900_000),
  } as const;
  const stream = newStream(viewer, new ServerResponse(new IncomingMessage(new Socket())));
  stream.cursor = 0;
  return stream;
}

const newsOf = (count: number, length: number) => ({
  unread: count,
  text: rendered({
    seen: count,
    isAll: true,
    unread: count,
    rows: Array.from({ length: count }, (_, index) => ({
      id: newId(),
      seq: index + 1,
      category: 'payouts' as const,
      type: 'payout.completed' as const,
      title: 'A title',
      body: 'x'.repeat(length),
      data: {},
      readAt: null,
      createdAt: new Date(),
    })),
  }),
});

describe('a reader that takes nothing', () => {
  it('is dropped at once when much waits for it', () => {
    const stream = openOnPaper();
    deliver(stream, newsOf(40, 2_000));
    expect(stream.out.destroyed).toBe(true);
  });

  it('is dropped after half a minute when little waits for it', () => {
    const stream = openOnPaper();
    deliver(stream, newsOf(20, 2_500));
    expect([stream.out.destroyed, stream.blockedSince]).toEqual([false, expect.any(Number)]);
    const since = stream.blockedSince ?? 0;
    beat(stream, since + 29_000);
    expect(stream.out.destroyed).toBe(false);
    beat(stream, since + 31_000);
    expect(stream.out.destroyed).toBe(true);
  });
});

describe('beside others', () => {
  let app: TestApp;
  beforeAll(async () => {
    app = await startTestApp();
  });
  afterAll(() => app.close());

  it('holds up none of them, and misses nothing once it reads again', async () => {
    const member = await buildMember(app.deps.db.manager);
    const { accessToken: token } = await signIn(app.deps, member);
    const quick = await openStream(app.url + path, { token });
    const slow = await openRaw(token);
    slow.socket.pause();
    const total = 5_000;
    await fill(member.workspaceId, total);

    await until(() => quick.ids().length === total, 30_000);
    expect(idsIn(slow.text()).length).toBeLessThan(total);
    slow.socket.resume();
    await until(() => slow.text().includes(quick.ids().at(-1) ?? ''), 30_000);
    await until(() => idsIn(slow.text()).length === total);
    expect(idsIn(slow.text())).toEqual(quick.ids());
    slow.socket.destroy();
    quick.close();
  }, 90_000);

  /** A client whose socket can be left unread. */
  async function openRaw(token: string) {
    const { hostname, port } = new URL(app.url);
    const socket = connect({ host: hostname, port: Number(port) });
    let text = '';
    socket.setEncoding('utf8').on('data', (chunk: string) => (text += chunk));
    socket.on('error', () => undefined);
    await once(socket, 'connect');
    socket.write(
      `GET ${path} HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${token}\r\n\r\n`,
    );
    await until(() => text.includes('unread-count'));
    return { socket, text: () => text };
  }

  /** Writes more than the buffers of the kernel take for one connection. */
  async function fill(feedId: string, total: number): Promise<void> {
    await execute(
      app.deps.db.manager,
      `WITH written AS (
         INSERT INTO notifications (id, feed_id, seq, side, workspace_id, mode, category, type,
                audience, cause_id, title, body, data, created_at)
         SELECT gen_random_uuid(), $1, n, 'merchant', $1, 'live', 'payouts', 'payout.completed',
                'everyone', gen_random_uuid(), 'A title', repeat('x', 2500), '{}', now()
           FROM generate_series(1, $2) AS n)
       INSERT INTO notification_feeds (feed_id, version) VALUES ($1, $2)`,
      [feedId, total],
    );
    await wakeStreams(app.deps.redis, [{ feedId, mode: 'live' }]);
  }
});

/** Events that came whole. */
/** Notifications, without the place where the stream begins. */
function idsIn(text: string): string[] {
  const whole = text.slice(0, text.lastIndexOf('\n\n'));
  return [...whole.matchAll(/^id: ([\da-f-]{36})$/gm)].map(([, id]) => id ?? '');
}
