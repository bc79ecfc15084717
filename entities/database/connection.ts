import { Client, Pool, types, type ClientConfig, type PoolClient, type PoolConfig } from 'pg';

const int8 = 20;

/** A sum that a double cannot hold exactly: refused, never rounded. */
export class UnsafeIntegerError extends RangeError {
  override readonly name = 'UnsafeIntegerError';
}

/** int8 as a number; of one inside JSON, too, once it is text there. */
export function safeInteger(text: string): number {
  const value = Number(text);
  if (!Number.isSafeInteger(value)) throw new UnsafeIntegerError('an integer beyond 2^53');
  return value;
}

types.setTypeParser(int8, safeInteger);

const broken = new WeakSet<Client>();

/**
 * A client whose errors are heard from its birth to its end. The server may end a connection at any
 * moment, also between two owners of it, and an error that nobody hears ends the process: a statement
 * that is under way fails by itself, and the next one does.
 */
export class Connection extends Client {
  constructor(config?: ClientConfig) {
    super(config);
    this.on('error', () => broken.add(this));
    this.on('end', () => broken.add(this));
  }
}

/** Whether a client of such a pool has lost its server. */
export function isBroken(client: PoolClient): boolean {
  return broken.has(client);
}

/** A pool of such clients. `onError` is called for one that broke while nobody used it. */
export function openPool(
  config: PoolConfig,
  onError: (error: Error) => void = () => undefined,
): Pool {
  const pool = new Pool({ ...config, Client: Connection });
  pool.on('error', onError);
  return pool;
}

/** Settings of a session, in milliseconds. */
export function timeouts(statementTimeoutMs: number) {
  return {
    statement_timeout: statementTimeoutMs,
    lock_timeout: 5_000,
    idle_in_transaction_session_timeout: 30_000,
  };
}
