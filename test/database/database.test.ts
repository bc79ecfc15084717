import { createDatabase } from '../../entities/database/database';
import { isDatabaseOutage, isPassingOutage } from '../../entities/database/errors';
import {
  execute,
  query,
  queryOne,
  transaction,
  type Db,
  type Tx,
} from '../../entities/database/sql';
import { useDatabase } from '../support/data-source';
import { asOwner, connectionTo } from '../support/database';
import { errorOf } from '../support/answers/error-of';
import { until } from '../support/eventually';

const database = useDatabase(1);
let db: Db;

beforeAll(async () => {
  db = database.source.manager;
  await asOwner(
    database.url,
    'CREATE TABLE marks (name text PRIMARY KEY); GRANT ALL ON marks TO PUBLIC',
  );
});

const mark = (on: Db, name: string) => execute(on, 'INSERT INTO marks VALUES ($1)', [name]);
const marks = async (): Promise<string[]> =>
  (await query<{ name: string }>(db, 'SELECT name FROM marks ORDER BY 1')).map(({ name }) => name);

beforeEach(() => execute(db, 'DELETE FROM marks'));

it('sends no time that is none, and the transaction goes on with the next statement', async () => {
  await transaction(db, async (tx) => {
    const asked = query(tx, 'SELECT $1::timestamptz', [new Date('soon')]);
    await expect(asked).rejects.toThrow(RangeError);
    await mark(tx, 'kept');
  });
  expect(await marks()).toEqual(['kept']);
});

describe('a transaction', () => {
  it('keeps all that was done in it or nothing, and a part of it alone is undone', async () => {
    await transaction(db, async (tx) => {
      await mark(tx, 'kept');
      await expect(transaction(tx, (part) => mark(part, 'kept'))).rejects.toMatchObject({
        code: '23505',
      });
      await transaction(tx, (part) => mark(part, 'too'));
    });
    const failure = transaction(db, async (tx) => {
      await mark(tx, 'undone');
      throw new Error('a reason');
    });
    await expect(failure).rejects.toThrow('a reason');
    expect(await marks()).toEqual(['kept', 'too']);
  });

  it('that goes on after a failed statement is no success, for nothing of it is kept', async () => {
    const swallowing = transaction(db, async (tx) => {
      await mark(tx, 'lost');
      await mark(tx, 'lost').catch(() => undefined);
    });
    await expect(swallowing).rejects.toThrow('after a failed statement');
    expect(await marks()).toEqual([]);
  });

  it('takes no statement once it is over, and gives the reason to those that come too late', async () => {
    let kept: Tx | undefined;
    await transaction(db, async (tx) => {
      kept = tx;
      expect(tx.isOpen).toBe(true);
    });
    expect(kept?.isOpen).toBe(false);
    await expect(mark(kept as Tx, 'late')).rejects.toThrow('after the end');
    await transaction(db, async (tx) => {
      kept = tx;
      throw new Error('its own reason');
    }).catch(() => undefined);
    await expect(mark(kept as Tx, 'late')).rejects.toThrow('its own reason');
    expect(await marks()).toEqual([]);
  });

  it('whose connection the server ends fails as an outage in each of its parts, also in one that begins', async () => {
    const failure = await errorOf(
      transaction(db, async (tx) => {
        await endOwn(tx);
        expect(tx.isOpen).toBe(false);
        await transaction(tx, (part) => mark(part, 'late'));
      }),
    );
    expect([isDatabaseOutage(failure), isPassingOutage(failure)]).toEqual([true, true]);
    expect(await marks()).toEqual([]);
  });
});

/** Ends its own session: the server tells it to a connection that has no statement under way. */
async function endOwn(tx: Tx): Promise<void> {
  const row = await queryOne<{ pid: number }>(tx, 'SELECT pg_backend_pid() AS pid');
  await asOwner(database.url, `SELECT pg_terminate_backend(${row?.pid})`);
  await until(() => !tx.isOpen);
}

it('a statement that was not answered in time leaves no connection that waits for its answer', async () => {
  // A second after the server's own bound, which is not set behind a pooler.
  const { url } = connectionTo(database.url);
  const short = createDatabase({ url, pooler: 'transaction', poolSize: 1, statementTimeoutMs: 1 });
  const failure = await errorOf(query(short, 'SELECT pg_sleep(3)'));
  expect(isDatabaseOutage(failure)).toBe(true);
  expect(await query(short, 'SELECT 1 AS one')).toEqual([{ one: 1 }]);
  await short.destroy();
});

it('refuses all work as an outage while it is told to, and is asked for a connection by nobody', async () => {
  const { url, pooler } = connectionTo(database.url);
  const refusing = createDatabase({ url, pooler, poolSize: 1 });
  const accept = refusing.refuse('it was not seen yet');
  const failure = await errorOf(transaction(refusing, (tx) => mark(tx, 'never')));
  expect(isDatabaseOutage(failure)).toBe(true);
  expect(refusing.pool.totalCount).toBe(0);
  accept();
  expect(await query(refusing, 'SELECT 1 AS one')).toEqual([{ one: 1 }]);
  await refusing.destroy();
});

it('gives back the place before a connection when there is none', async () => {
  const away = createDatabase({ url: 'postgres://nobody@127.0.0.1:1/none', poolSize: 1 });
  let taken = 0;
  const behind = away.behind(() => {
    taken += 1;
    return Promise.resolve(() => (taken -= 1));
  });
  const failure = await errorOf(query(behind, 'SELECT 1'));
  expect(isDatabaseOutage(failure)).toBe(true);
  expect(taken).toBe(0);
  await away.destroy();
});
