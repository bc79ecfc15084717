import type { Pool, PoolClient, QueryResult } from 'pg';
import { isBroken, openPool, timeouts } from './connection';
import { DatabaseAwayError, endsConnection } from './errors';
import type { Db, Statement, Tx } from './sql';

export const longestStatementMs = 9_000;

/**
 * `none`: Postgres itself. `transaction`: a pooler that gives each transaction another connection of
 * the server, so that a session has neither settings nor prepared statements of its own.
 */
export const poolers = ['none', 'transaction'] as const;
export type Pooler = (typeof poolers)[number];

export interface DatabaseOptions {
  url: string;
  poolSize?: number;
  applicationName?: string;
  /** Called for a connection that breaks while nobody uses it. */
  onPoolError?: (error: Error) => void;
  /** Longest statement, in milliseconds; 0 is no bound. */
  statementTimeoutMs?: number;
  /** The kind of server at the URL; default: Postgres itself. */
  pooler?: Pooler;
  /** A connection is used no longer than this. */
  maxLifetimeSeconds?: number;
  /** Settings of each session, as command line options of the server; not through a pooler. */
  sessionOptions?: string;
}

/** Gives back what was taken before a connection. */
export type GiveBack = () => void;

/** A pool of connections to Postgres, which may be away: it is asked for when there is work. */
export interface Database extends Db {
  /** The same as a Db alone. */
  readonly manager: Db;
  /** The driver's pool. */
  readonly pool: Pool;
  /** The same database, each of whose connections is asked for once `enter` has let its work in. */
  behind(enter: () => Promise<GiveBack>): Db;
  /** Tells from now on how long work waited for each connection, in seconds. */
  timeWaits(listener: (seconds: number) => void): void;
  /** Refuses all work as while Postgres is away, until the answered function is called. */
  refuse(reason: string): () => void;
  /** Ends all connections, once what is under way is done. */
  destroy(): Promise<void>;
}

/** Opens connections for some work, and closes them after it. */
export async function withDatabase<T>(
  options: DatabaseOptions,
  work: (database: Database) => Promise<T>,
): Promise<T> {
  const database = createDatabase(options);
  try {
    return await work(database);
  } finally {
    await database.destroy();
  }
}

/** Makes a pool. It connects when it is first used, and again after each outage. */
export function createDatabase(options: DatabaseOptions): Database {
  const pool = openPool(poolConfigOf(options), options.onPoolError);
  const namesStatements = options.pooler !== 'transaction';
  let refusal: string | undefined;
  let waited = (_seconds: number): void => undefined;

  async function lend(): Promise<Lent> {
    if (refusal !== undefined) throw new DatabaseAwayError(refusal);
    const began = performance.now();
    try {
      const client = await pool.connect();
      return { client, giveBack: (spoilt) => client.release(spoilt) };
    } finally {
      waited((performance.now() - began) / 1_000);
    }
  }

  const whole = new Pooled(lend, namesStatements);
  return {
    manager: whole,
    pool,
    isOpen: false,
    run: (statement) => whole.run(statement),
    query: (text, values) => whole.query(text, values),
    transaction: (work) => whole.transaction(work),
    behind: (enter) => new Pooled(() => lendBehind(enter, lend), namesStatements),
    timeWaits(listener) {
      waited = listener;
    },
    refuse(reason) {
      refusal = reason;
      return () => (refusal = undefined);
    },
    destroy: () => pool.end(),
  };
}

/** A connection that somebody has. */
interface Lent {
  client: PoolClient;
  /** Back to the pool, which ends one that is spoilt. */
  giveBack(spoilt: boolean): void;
}

type Lend = () => Promise<Lent>;

async function lendBehind(enter: () => Promise<GiveBack>, lend: Lend): Promise<Lent> {
  const leave = await enter();
  try {
    const { client, giveBack } = await lend();
    return {
      client,
      giveBack(spoilt) {
        giveBack(spoilt);
        leave();
      },
    };
  } catch (error) {
    leave();
    throw error;
  }
}

/** One statement a connection, each given back after it. */
class Pooled implements Db {
  readonly isOpen = false;

  constructor(
    private readonly lend: Lend,
    private readonly namesStatements: boolean,
  ) {}

  async run(statement: Statement): Promise<QueryResult> {
    const { client, giveBack } = await this.lend();
    const session = new Session(client, this.namesStatements);
    try {
      return await session.send(statement);
    } finally {
      giveBack(session.isSpoilt);
    }
  }

  async query<Rows>(text: string, values: unknown[] = []): Promise<Rows> {
    return (await this.run({ text, values })).rows as Rows;
  }

  async transaction<T>(work: (tx: Tx) => Promise<T>): Promise<T> {
    const { client, giveBack } = await this.lend();
    const session = new Session(client, this.namesStatements);
    try {
      return await new Transaction(session).between(
        ['START TRANSACTION', 'COMMIT', 'ROLLBACK'],
        work,
      );
    } finally {
      giveBack(session.isSpoilt);
    }
  }
}

/** A connection for as long as one owner has it. */
class Session {
  /** It must not be used by another owner. */
  isSpoilt = false;

  constructor(
    private readonly client: PoolClient,
    private readonly namesStatements: boolean,
  ) {}

  get isLost(): boolean {
    return this.isSpoilt || isBroken(this.client);
  }

  async send({ name, text, values = [] }: Statement): Promise<QueryResult> {
    if (values.some(isNoTime)) throw new RangeError('a value of a statement is a Date of no time');
    try {
      // A pooler may give each statement another connection, which knows no name of the last one.
      if (name === undefined || !this.namesStatements) return await this.client.query(text, values);
      return await this.client.query({ name, text, values });
    } catch (error) {
      if (endsConnection(error)) this.isSpoilt = true;
      throw error;
    }
  }
}

/** The driver would send it as a text that Postgres does not know. */
function isNoTime(value: unknown): boolean {
  return value instanceof Date && Number.isNaN(value.getTime());
}

type Bounds = readonly [begin: string, commit: string, rollback: string];

/** The statements of one transaction, or of one savepoint within it. */
class Transaction implements Db {
  /** Why no further statement belongs to it. */
  private over: Error | undefined;

  constructor(
    private readonly session: Session,
    private readonly whole?: Transaction,
  ) {}

  get isOpen(): boolean {
    return this.ending === undefined && !this.session.isLost;
  }

  private get ending(): Error | undefined {
    return this.over ?? this.whole?.ending;
  }

  private get depth(): number {
    return this.whole ? this.whole.depth + 1 : 0;
  }

  async run(statement: Statement): Promise<QueryResult> {
    if (this.ending) throw this.ending;
    return this.session.send(statement);
  }

  async query<Rows>(text: string, values: unknown[] = []): Promise<Rows> {
    return (await this.run({ text, values })).rows as Rows;
  }

  /** Does the work as a part of this transaction that is undone alone when it fails. */
  transaction<T>(work: (tx: Tx) => Promise<T>): Promise<T> {
    const part = new Transaction(this.session, this);
    const name = `part_${part.depth}`;
    return part.between(
      [`SAVEPOINT ${name}`, `RELEASE SAVEPOINT ${name}`, `ROLLBACK TO SAVEPOINT ${name}`],
      work,
    );
  }

  /** Runs the work and keeps what it did, or throws and keeps nothing. */
  async between<T>([begin, commit, rollback]: Bounds, work: (tx: Tx) => Promise<T>): Promise<T> {
    const { session } = this;
    await session.send({ text: begin });
    try {
      const result = await work(this as Db as Tx);
      const { command } = await session.send({ text: commit });
      // What swallowed the error of a statement would take all of it for kept.
      if (command === 'ROLLBACK') throw new Error('a transaction went on after a failed statement');
      this.over = new Error('a statement came after the end of its transaction');
      return result;
    } catch (error) {
      // Parts of the work that still go on meet the same failure.
      this.over = error instanceof Error ? error : new Error(String(error));
      // The server undoes what belongs to a connection that is lost.
      if (!session.isLost) await session.send({ text: rollback }).catch(() => undefined);
      throw error;
    }
  }
}

function poolConfigOf(options: DatabaseOptions) {
  const statementTimeoutMs = options.statementTimeoutMs ?? longestStatementMs;
  const { pooler = 'none', sessionOptions, maxLifetimeSeconds = 1_800 } = options;
  return {
    connectionString: options.url,
    application_name: options.applicationName ?? 'affiliate',
    max: options.poolSize ?? 10,
    connectionTimeoutMillis: 3_000,
    // The client's own bound: a frozen server keeps none of its promises.
    query_timeout: statementTimeoutMs === 0 ? 0 : statementTimeoutMs + 1_000,
    keepAlive: true,
    // A server that changed its role behind a proxy keeps its connections; they end all the same.
    maxLifetimeSeconds,
    ...(sessionOptions !== undefined && { options: sessionOptions }),
    // A pooler refuses settings at the start of a session: there they are the role's.
    ...(pooler === 'none' && statementTimeoutMs > 0 && timeouts(statementTimeoutMs)),
  };
}
