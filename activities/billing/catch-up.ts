import { performance } from 'node:perf_hooks';
import { type Db, execute, query, sliceMs } from '../../entities/database/sql';
import type { Biller } from '../../entities/rules/billing/biller';
import type { Cause } from '../journal/cause';
import {
  accountOf,
  connectionColumns,
  noteReads,
  scopeOf,
  type BillerDeps,
  type ConnectionRecord,
} from './connection/connection';
import { awaitRead, usualReadGapMs } from './events/pace';
import { takeInPage } from './events/take-in-page';
import { readerOf } from './readers';

export interface CatchUpCommand {
  /** Events that the biller made since then; they are kept there for 30 days and more. */
  since: Date;
  /** The one connection to read; without it each that has a key. */
  connectionId?: string | undefined;
  readGapMs?: number;
}

/** What became of one connection. */
export interface CaughtUp {
  connectionId: string;
  biller: Biller;
  /** Events that the biller listed, and how many of them are to be processed now. */
  listed: number;
  taken: number;
  /** Why it was left before the end; null when all was read. */
  failure: string | null;
}

/** The same for an operator. */
export function lineOfCaughtUp({ connectionId, listed, taken, failure }: CaughtUp): string {
  const left = failure === null ? '' : `, then stopped: ${failure}`;
  return `${connectionId}  ${listed} listed, ${taken} taken in${left}`;
}

/**
 * Takes in what the lists of billers hold and we do not, as after a restore of the database or an outage
 * longer than their retries: through the same intake, so that any order and any number of runs end the
 * same. A connection that cannot be read stops no other. Talks to the network: never inside a transaction.
 */
export async function catchUp(
  deps: BillerDeps,
  cause: Cause,
  { connectionId, ...command }: CatchUpCommand,
): Promise<CaughtUp[]> {
  const done: CaughtUp[] = [];
  for (const connection of await connectionsWithKey(deps.db.manager, connectionId)) {
    const { id, biller } = connection;
    const result: CaughtUp = { connectionId: id, biller, listed: 0, taken: 0, failure: null };
    try {
      await readAll(deps, cause, { connection, result, ...command });
    } catch (error) {
      result.failure = failureOf(biller, error);
    }
    done.push(result);
  }
  return done;
}

interface Reading extends Omit<CatchUpCommand, 'connectionId'> {
  connection: KeyedConnection;
  /** Counts as it goes: what was taken in before a failure stays. */
  result: CaughtUp;
}

async function readAll(
  deps: BillerDeps,
  cause: Cause,
  { connection, result, ...reading }: Reading,
): Promise<void> {
  let place: string | null = null;
  do {
    const page = await readPage(deps, cause, { connection, place, ...reading });
    result.listed += page.listed;
    result.taken += page.taken;
    place = page.next;
  } while (place !== null);
}

/** Takes in the page of the biller's lists at a place; null for the first. */
async function readPage(
  deps: BillerDeps,
  cause: Cause,
  {
    connection,
    since,
    place,
    readGapMs = usualReadGapMs,
  }: Omit<Reading, 'result'> & { place: string | null },
): Promise<{ listed: number; taken: number; next: string | null }> {
  const account = accountOf(deps, connection);
  const pace = (): Promise<void> => awaitRead(deps.db.manager, connection.id, readGapMs);
  await pace();
  const { events, next } = await account.list({
    ...{ since, place, now: cause.now, pace },
    connectedAt: connection.createdAt,
  });
  const taken = await takeInPage(deps, cause, { connection, events });
  return { listed: events.length, taken, next };
}

/** The lists of a connection go back so far. */
const longestDays = 30;

/** Again from before the last reading began: the biller's clock may be behind ours, and its list behind both. */
const overlap = '1 hour';

/** Has the lists of connections read whose last reading began a day ago. */
async function beginDailyReads(db: Db, now: Date): Promise<void> {
  await execute(
    db,
    `UPDATE stripe_connections AS c
        SET catch_up_since = date_trunc('milliseconds',
              greatest(c.read_until - interval '${overlap}', c.created_at, $1::timestamptz - interval '${longestDays} days')),
            catch_up_after = NULL, read_began_at = $1
      WHERE c.id IN (SELECT d.id FROM stripe_connections AS d
                      WHERE d.deleted_at IS NULL AND d.restricted_key IS NOT NULL
                        AND d.webhook_secret IS NOT NULL AND d.catch_up_since IS NULL
                        AND (d.read_began_at IS NULL OR d.read_began_at < $1::timestamptz - interval '1 day')
                      ORDER BY d.read_began_at NULLS FIRST LIMIT 100 FOR UPDATE SKIP LOCKED)`,
    [now],
  );
}

/**
 * Goes on for some seconds with the lists that are to be read, of the connection that has read least
 * lately: what a first key has to catch up on, and once a day what no webhook brought since the last whole
 * reading. Gives how many connections that were: 0 when there is nothing to do, or the biller is away, and
 * a later run goes on. A key that may not read, or a place in the list that the biller has forgotten,
 * leaves it at that until the next day.
 */
export async function catchUpNext(deps: BillerDeps, cause: Cause): Promise<number> {
  await beginDailyReads(deps.db.manager, cause.now);
  const [connection] = await query<Owing>(
    deps.db.manager,
    `SELECT ${connectionColumns}, c.catch_up_since AS since, c.catch_up_after AS place
       FROM stripe_connections AS c
      WHERE c.deleted_at IS NULL AND c.restricted_key IS NOT NULL AND c.catch_up_since IS NOT NULL
      ORDER BY c.next_read_at NULLS FIRST LIMIT 1`,
    [],
  );
  if (!connection) return 0;
  const { since } = connection;
  const end = performance.now() + sliceMs;
  let { place } = connection;
  try {
    do {
      place = (await readPage(deps, cause, { connection, since, place })).next;
      await noteProgress(deps.db.manager, connection, { place, isWhole: place === null });
    } while (place !== null && performance.now() < end);
    await noteList(deps.db.manager, cause, { connection, is: 'answered' });
  } catch (error) {
    const failure = readerOf(connection.biller).failureOf(error);
    if (failure === 'away') return 0;
    if (failure === 'refused')
      await noteList(deps.db.manager, cause, { connection, is: 'refused' });
    await noteProgress(deps.db.manager, connection, { place: null, isWhole: false });
  }
  return 1;
}

/** Reports a key that may not read the lists: without the report the daily search would find nothing, and nobody would know. */
function noteList(
  db: Db,
  cause: Cause,
  { connection, is }: { connection: ConnectionRecord; is: 'answered' | 'refused' },
): Promise<void> {
  const { id: connectionId, biller } = connection;
  const { listRead } = readerOf(biller);
  const reads = { refused: [], answered: [], [is]: [listRead] };
  const context = { ...cause, scope: scopeOf(connection) };
  return noteReads(db, context, { connectionId, biller, ...reads });
}

type Owing = KeyedConnection & { since: Date; place: string | null };

/**
 * Keeps where the reading is. A null place ends it: the next one begins a day later, at the time up to
 * which the lists were last read whole. Changes nothing when somebody has put the connection again
 * meanwhile, which has set another time to read from: that reading starts by itself.
 */
async function noteProgress(
  db: Db,
  { id, since }: Owing,
  { place, isWhole }: { place: string | null; isWhole: boolean },
): Promise<void> {
  await execute(
    db,
    `UPDATE stripe_connections
        SET catch_up_after = $3, catch_up_since = CASE WHEN $3::text IS NULL THEN NULL ELSE $2 END,
            read_until = CASE WHEN $3::text IS NOT NULL THEN read_until
                              WHEN $4 THEN coalesce(read_began_at, read_until)
                              ELSE read_until END
      WHERE id = $1 AND catch_up_since = $2`,
    [id, since, place, isWhole],
  );
}

type KeyedConnection = ConnectionRecord & { restrictedKey: string };

function connectionsWithKey(db: Db, id: string | undefined): Promise<KeyedConnection[]> {
  return query<KeyedConnection>(
    db,
    `SELECT ${connectionColumns} FROM stripe_connections AS c
      WHERE c.deleted_at IS NULL AND c.restricted_key IS NOT NULL
        AND ($1::uuid IS NULL OR c.id = $1) ORDER BY c.id`,
    [id ?? null],
  );
}

function failureOf(biller: Biller, error: unknown): string {
  if (readerOf(biller).failureOf(error) !== 'refused') return 'the biller did not answer';
  const permission = biller === 'stripe' ? ': it needs the permission rak_event_read' : '';
  return `its key may not read events${permission}`;
}
