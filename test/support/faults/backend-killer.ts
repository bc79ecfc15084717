import type { Duplex } from 'node:stream';
import { Client } from 'pg';
import { openEffects, type Effects, type Runs } from './effects';

/**
 * `gone`: dies before a statement. `lost`: dies after one that is kept was done, its answer with it;
 * of others it makes no difference to what remains.
 */
export type Death = 'gone' | 'lost';

export interface BackendKiller {
  /** Lets the connection of the statement with this number, from 1 on, die. */
  arm(statement: number, death: Death): void;
  /** Whether one died, and how many statements counted since `arm`, for either death. */
  disarm(): { died: boolean; counted: Record<Death, number> };
  /** What is in the tables, without the keys of requests and what is made once. */
  effects: Effects;
  /** Runs a statement that neither counts nor dies. */
  quietly(statement: string): Promise<void>;
  close(): Promise<void>;
}

type Query = (this: Client, ...args: unknown[]) => unknown;

/** Ends backends between the statements of this process, by pg_terminate_backend. */
export async function openBackendKiller(databaseUrl: string): Promise<BackendKiller> {
  const killer = new Client({ connectionString: databaseUrl });
  await killer.connect();
  const original = Reflect.get(Client.prototype, 'query') as Query;
  // Planned once; through a pooler a session has no statements of its own.
  const names = new Map<string, string>();
  const isPooled = Boolean(process.env['TEST_POOLER_URL']);
  const run: Runs = async <T>(text: string, values: unknown[] = []): Promise<T[]> => {
    const name = names.get(text) ?? `look ${names.size}`;
    names.set(text, name);
    const looked = original.call(killer, { text, values, ...(!isPooled && { name }) });
    return ((await looked) as { rows: T[] }).rows;
  };
  const inTransaction = new WeakSet<Client>();
  /** The number of the statement that dies; 0 while none shall. */
  let armed = 0;
  let counted = { gone: 0, lost: 0 };
  let death: Death = 'gone';
  let died = false;

  /** A commit, or a statement that is one by itself. */
  const isKept = (client: Client, text: string): boolean => {
    if (/^(BEGIN|START TRANSACTION)/.test(text)) inTransaction.add(client);
    const isInside = inTransaction.has(client);
    if (/^(COMMIT|ROLLBACK$)/.test(text)) inTransaction.delete(client);
    return /^COMMIT/.test(text) || (!isInside && /INSERT INTO|UPDATE|DELETE FROM/.test(text));
  };
  const kill = async (victim: Client): Promise<void> => {
    const ended = new Promise((resolve) => victim.once('end', resolve));
    if (process.env['TEST_POOLER_URL']) {
      // The pooler gives ids of its own; whose client is gone it ends, transaction and all.
      (Reflect.get(victim, 'connection') as { stream: Duplex }).stream.destroy();
      await ended;
      return;
    }
    const pid = Reflect.get(victim, 'processID') as number;
    await original.call(killer, 'SELECT pg_terminate_backend($1)', [pid]);
    await ended;
  };
  const dying = async (victim: Client, args: unknown[]): Promise<unknown> => {
    died = true;
    if (death === 'lost') await original.apply(victim, args);
    await kill(victim);
    if (death === 'lost') throw new Error('Connection terminated unexpectedly');
    return original.apply(victim, args);
  };
  Reflect.set(Client.prototype, 'query', function (this: Client, ...args: unknown[]) {
    if (this === killer || armed === 0) return original.apply(this, args);
    const kept = isKept(this, textOf(args[0]));
    counted.gone += 1;
    if (kept) counted.lost += 1;
    const counts = kept || death === 'gone';
    return counts && counted[death] === armed ? dying(this, args) : original.apply(this, args);
  } satisfies Query);

  return {
    arm(statement, how) {
      armed = statement;
      counted = { gone: 0, lost: 0 };
      death = how;
      died = false;
    },
    disarm() {
      armed = 0;
      return { died, counted };
    },
    effects: await openEffects(run),
    async quietly(statement) {
      await original.call(killer, statement);
    },
    async close() {
      Reflect.set(Client.prototype, 'query', original);
      await killer.end();
    },
  };
}

function textOf(statement: unknown): string {
  return typeof statement === 'string' ? statement : (statement as { text: string }).text;
}
