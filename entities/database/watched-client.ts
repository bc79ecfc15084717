import { Client, type ClientConfig } from 'pg';

/** Of a client, what its types leave out. */
interface Inside {
  /** False while it waits for the end of a statement. */
  readyForQuery: boolean | null;
  connection: { stream: { destroy(error: Error): void } };
}

type Ask = (...given: unknown[]) => unknown;

export interface WatchedConfig extends ClientConfig {
  /** A statement without an answer for this long ends its connection; 0 is no bound. */
  answerWithinMs?: number;
}

const lookEveryMs = 500;
const watched = new Set<WatchedClient>();
let watch: NodeJS.Timeout | undefined;

/**
 * The client's own bound: a frozen server keeps none of its promises. The driver's `query_timeout`
 * makes a timer for each statement, and measured by itself a statement with one outlives the
 * collections of young objects, a kilobyte each. Here one watch looks at all connections.
 */
export class WatchedClient extends Client {
  private readonly within: number;
  private askedAt = 0;

  constructor(config: WatchedConfig) {
    super(config);
    this.within = config.answerWithinMs ?? 0;
    if (this.within === 0) return;
    const query = (...given: unknown[]): unknown => {
      this.askedAt = performance.now();
      return (super.query as Ask).apply(this, given);
    };
    // Its types have a method of many forms, which a method of one form cannot override.
    Object.assign(this, { query });
    this.once('end', () => unwatch(this));
    watched.add(this);
    // After a pause of this process the sockets come first: they may hold the answers.
    watch ??= setInterval(() => setImmediate(lookAtAll), lookEveryMs).unref();
  }

  /** Ends the connection when its statement is overdue: whoever waits gets this error. */
  look(now: number): void {
    const { readyForQuery, connection } = this as unknown as Inside;
    if (readyForQuery !== false || this.askedAt === 0 || now - this.askedAt < this.within) return;
    unwatch(this);
    connection.stream.destroy(new Error('Query read timeout'));
  }
}

function lookAtAll(): void {
  const now = performance.now();
  for (const client of watched) client.look(now);
}

function unwatch(client: WatchedClient): void {
  watched.delete(client);
  if (watched.size > 0) return;
  clearInterval(watch);
  watch = undefined;
}
