import { Connection } from '../../entities/database/connection';
import type { Logger } from '../observe/logger';

export interface ListenerOptions {
  databaseUrl: string;
  channel: string;
  log: Logger;
  /** Called at each notification, and after each (re)connection, since some may have been missed. */
  onNotify: () => void;
}

/**
 * Listens on a channel of Postgres over a connection of its own, which is renewed when it breaks.
 * A notification is only a hint: whoever listens also looks by itself from time to time. Returns
 * how to end it.
 */
export function listenOn(options: ListenerOptions): () => Promise<void> {
  let client: Connection | undefined;
  let timer: NodeJS.Timeout | undefined;
  let ended = false;

  async function connect(): Promise<void> {
    const next = new Connection({
      connectionString: options.databaseUrl,
      application_name: `affiliate-listen-${options.channel}`,
      keepAlive: true,
      connectionTimeoutMillis: 3_000,
      query_timeout: 5_000,
    });
    client = next;
    next.on('notification', options.onNotify);
    next.on('error', (error) => lost(next, error));
    next.on('end', () => lost(next));
    try {
      await next.connect();
      await next.query(`LISTEN ${next.escapeIdentifier(options.channel)}`);
      options.onNotify();
    } catch (error) {
      lost(next, error);
    }
  }

  function lost(which: Connection, error?: unknown): void {
    if (ended || which !== client) return;
    client = undefined;
    options.log.warn({ err: error, channel: options.channel }, 'a listening connection broke');
    which.removeAllListeners('notification');
    which.end().catch(() => undefined);
    timer = setTimeout(() => void connect(), 1_000);
  }

  const connecting = connect();
  return async () => {
    ended = true;
    clearTimeout(timer);
    await connecting;
    await client?.end().catch(() => undefined);
  };
}
