import type { Database } from '../../../entities/database/database';
import type { Db, Tx } from '../../../entities/database/sql';
import type { VendorHttp } from '../../../runtime/outbound/vendor-http';

interface Parts {
  db: Database;
  vendors: VendorHttp;
}

/** What the process would do next; nothing of it is done any more. */
export class Died extends Error {
  override readonly name = 'Died';
}

/**
 * The parts of a process that dies at one of its steps, counted from 1: before a statement, after a commit whose
 * answer it does not hear, before a request to a vendor, or after one was met. From then on nothing of it is done,
 * neither what it would tidy up. Its open transaction is rolled back, as by a server whose client is gone.
 */
export function dyingProcess<T extends Parts>(
  parts: T,
  at: number,
): { deps: T; hasDied: () => boolean } {
  let steps = 0;
  const step = (): void => {
    steps += 1;
    if (steps >= at) throw new Died(`at step ${at}`);
  };
  const { vendors } = parts;
  const manager = dying(parts.db.manager, step);
  const db = new Proxy(parts.db, {
    get: (target, name) =>
      name === 'manager' ? manager : (Reflect.get(manager, name) ?? Reflect.get(target, name)),
  });
  const deps: T = {
    ...parts,
    db,
    vendors: {
      ...vendors,
      async request(request) {
        step();
        const answer = await vendors.request(request);
        step();
        return answer;
      },
    },
  };
  return { deps, hasDied: () => steps >= at };
}

function dying<T extends Db>(db: T, step: () => void): Db {
  return {
    isOpen: db.isOpen,
    run(statement) {
      step();
      return db.run(statement);
    },
    query(text, values) {
      step();
      return db.query(text, values);
    },
    async transaction(work) {
      step();
      const done = await db.transaction((tx) => work(dying(tx, step) as Tx));
      step();
      return done;
    },
  };
}
