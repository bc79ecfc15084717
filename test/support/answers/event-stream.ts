import { setTimeout as pause } from 'node:timers/promises';
import { WaitedInVain } from '../eventually';

export interface SentEvent {
  event: string;
  id: string | undefined;
  data: Record<string, unknown>;
}

export interface OpenStream {
  status: number;
  headers: Headers;
  events: SentEvent[];
  comments: number;
  /** The id and the time to wait that were sent last, with an event or without. */
  lastId: string | undefined;
  retry: string | undefined;
  /** Whether the server ended it. */
  ended: boolean;
  /** Ids of the notifications that came, in their order. */
  ids(): string[];
  /** The unread count that was sent last. */
  unread(): unknown;
  close(): void;
}

/** Opens a stream of server-sent events and keeps what comes. */
export async function openStream(
  url: string,
  options: { token?: string; mode?: 'test' | 'live'; lastEventId?: string } = {},
): Promise<OpenStream> {
  const abort = new AbortController();
  const response = await fetch(url, {
    signal: abort.signal,
    headers: {
      ...(options.token === undefined ? {} : { Authorization: `Bearer ${options.token}` }),
      ...(options.mode === undefined ? {} : { 'X-Mode': options.mode }),
      ...(options.lastEventId === undefined ? {} : { 'Last-Event-ID': options.lastEventId }),
    },
  });
  const stream: OpenStream = {
    status: response.status,
    headers: response.headers,
    events: [],
    comments: 0,
    lastId: undefined,
    retry: undefined,
    ended: false,
    ids: () => stream.events.flatMap(({ event, id }) => (event === 'notification' && id) || []),
    unread: () =>
      stream.events.filter(({ event }) => event === 'unread-count').at(-1)?.data['count'],
    close: () => abort.abort(),
  };
  void follow(response, stream);
  return stream;
}

async function follow(response: Response, stream: OpenStream): Promise<void> {
  const decoder = new TextDecoder();
  let text = '';
  try {
    for await (const chunk of response.body ?? []) {
      text += decoder.decode(chunk as Uint8Array, { stream: true });
      const blocks = text.split('\n\n');
      text = blocks.pop() ?? '';
      for (const block of blocks) take(block, stream);
    }
  } catch {
    // Closed by the test, or cut with its server.
  }
  stream.ended = true;
}

function take(block: string, stream: OpenStream): void {
  if (block.startsWith(':')) stream.comments += 1;
  const fields = new Map(
    block
      .split('\n')
      .map((line) => [line.slice(0, line.indexOf(':')), line.slice(line.indexOf(':') + 2)]),
  );
  stream.lastId = fields.get('id') ?? stream.lastId;
  stream.retry = fields.get('retry') ?? stream.retry;
  const data = fields.get('data');
  if (data === undefined) return;
  stream.events.push({
    event: fields.get('event') ?? 'message',
    id: fields.get('id'),
    data: JSON.parse(data) as Record<string, unknown>,
  });
}

/** Looks until it is so; fails after the time. */
export async function until(isSo: () => boolean, ms = 10_000): Promise<void> {
  const end = Date.now() + ms;
  while (!isSo()) {
    if (Date.now() > end) throw new WaitedInVain('it has not come about in time');
    await pause(10);
  }
}
