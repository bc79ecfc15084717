import type { Readable } from 'node:stream';
import { Client } from 'pg';
import QueryStream from 'pg-query-stream';
import { AppError } from '../../../entities/errors';

export interface RowStreams {
  /**
   * Rows of a statement as arrays, by a cursor of the server: memory stays the same whatever their
   * number, and nothing is read that the reader does not take. Ending the stream ends the
   * connection. SERVICE_UNAVAILABLE when too many wait for too long.
   */
  open(statement: { text: string; params: unknown[] }): Promise<Readable>;
}

/** Rows are read so many at a time. */
const batchSize = 1_000;
const mostAtOnce = 4;
const patienceMs = 20_000;

/**
 * Exports have connections of their own, a few at a time: however slowly their readers take the
 * rows, every other request still finds one in the pool.
 */
export function createRowStreams(url: string): RowStreams {
  const turns = createTurns();
  return {
    async open({ text, params }) {
      const leave = await turns.enter();
      const client = new Client({ connectionString: url, connectionTimeoutMillis: 3_000 });
      const end = (): void => {
        leave();
        void client.end().catch(() => undefined);
      };
      // A lost connection ends the stream with an error of its own.
      client.on('error', () => undefined);
      try {
        await client.connect();
        await client.query('SET default_transaction_read_only = on');
        const stream = client.query(new QueryStream(text, params, { batchSize, rowMode: 'array' }));
        return stream.once('close', end);
      } catch (error) {
        end();
        throw error;
      }
    },
  };
}

interface Turns {
  /** Waits for a turn; call the result once when it is over. */
  enter(): Promise<() => void>;
}

function createTurns(): Turns {
  let free = mostAtOnce;
  const waiting: (() => void)[] = [];
  const leave = (): void => {
    const next = waiting.shift();
    if (next) next();
    else free += 1;
  };
  return {
    enter() {
      if (free > 0) {
        free -= 1;
        return Promise.resolve(leave);
      }
      return new Promise((resolve, reject) => {
        const enter = (): void => {
          clearTimeout(timer);
          resolve(leave);
        };
        const timer = setTimeout(() => {
          waiting.splice(waiting.indexOf(enter), 1);
          reject(new AppError('SERVICE_UNAVAILABLE', { headers: { 'Retry-After': '10' } }));
        }, patienceMs);
        waiting.push(enter);
      });
    },
  };
}
