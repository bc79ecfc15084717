import { setTimeout as pause } from 'node:timers/promises';
import { openStream, type OpenStream } from '../answers/event-stream';

export interface LiveFollower {
  /** Ids of the notifications that came, in their order, over all of its streams. */
  ids(): string[];
  /** How often it had to open a stream. */
  streams(): number;
  close(): void;
}

/** Reads a stream as a browser's tab does: when it ends, it goes on from the last event it saw. */
export async function followLive(
  url: string,
  options: { token: string; mode: 'test' | 'live' },
): Promise<LiveFollower> {
  const earlier: string[] = [];
  let current: OpenStream | undefined;
  let [opened, isOver] = [0, false];
  const ids = (): string[] => [...earlier, ...(current?.ids() ?? [])];

  const run = async (): Promise<void> => {
    while (!isOver) {
      const lastEventId = ids().at(-1);
      current = await openStream(url, {
        ...options,
        ...(lastEventId === undefined ? {} : { lastEventId }),
      }).catch(() => undefined);
      if (current?.status === 200) opened += 1;
      while (current && !current.ended && !isOver) await pause(20);
      earlier.push(...(current?.ids() ?? []));
      current = undefined;
      await pause(100);
    }
  };
  void run();
  while (current?.unread() === undefined) await pause(20);
  return {
    ids,
    streams: () => opened,
    close: () => {
      isOver = true;
      current?.close();
    },
  };
}
