import { performance } from 'node:perf_hooks';
import { type Db, execute, query, sliceMs } from '../../entities/database/sql';
import { stripeEventTypes } from '../../entities/rules/stripe/read-event';
import type { Cause } from '../journal/cause';
import { stripeFailure } from '../../runtime/connections/stripe';
import {
  clientOf,
  connectionColumns,
  type ConnectionRecord,
  type StripeDeps,
} from './connection/connection';
import { awaitRead, usualReadGapMs } from './events/pace';
import { takeIn } from './events/receive';

export interface CatchUpCommand {
  /** Events that Stripe made since then; it keeps them for 30 days. */
  since: Date;
  /** Only this connection; without it each that has a key. */
  connectionId?: string | undefined;
  readGapMs?: number;
}

/** What became of one connection. */
export interface CaughtUp {
  connectionId: string;
  /** Events that Stripe listed, and how many of them are to be processed now. */
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
 * Takes in what Stripe's list of events holds and we do not, as after a restore of the database or an
 * outage longer than Stripe's retries: through the same intake, so that any order and any number of
 * runs end the same. A connection that cannot be read stops no other. Talks to the network: never
 * inside a transaction.
 */
export async function catchUp(
  deps: StripeDeps,
  cause: Cause,
  { connectionId, ...command }: CatchUpCommand,
): Promise<CaughtUp[]> {
  const done: CaughtUp[] = [];
  for (const connection of await connectionsWithKey(deps.db.manager, connectionId)) {
    const result: CaughtUp = { connectionId: connection.id, listed: 0, taken: 0, failure: null };
    try {
      await readAll(deps, cause, { connection, result, ...command });
    } catch (error) {
      result.failure = failureOf(error);
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
  deps: StripeDeps,
  cause: Cause,
  { connection, result, ...reading }: Reading,
): Promise<void> {
  let after: string | null = null;
  do {
    const page = await readPage(deps, cause, { connection, after, ...reading });
    result.listed += page.listed;
    result.taken += page.taken;
    after = page.next;
  } while (after !== null);
}

/** Takes in the page of Stripe's list behind an event; null for the first, the newest. */
async function readPage(
  deps: StripeDeps,
  cause: Cause,
  {
    connection,
    since,
    after,
    readGapMs = usualReadGapMs,
  }: Omit<Reading, 'result'> & { after: string | null },
): Promise<{ listed: number; taken: number; next: string | null }> {
  const client = clientOf(deps, connection);
  const intake = { db: deps.db.manager, vault: deps.vault };
  await awaitRead(deps.db.manager, connection.id, readGapMs);
  const page = await client.events.list({
    created: { gte: Math.floor(since.getTime() / 1_000) },
    types: [...stripeEventTypes],
    limit: 100,
    ...(after === null ? {} : { starting_after: after }),
  });
  let taken = 0;
  for (const event of page.data) {
    if (await takeIn(intake, cause, { connection, text: JSON.stringify(event) })) taken += 1;
  }
  const next = page.has_more ? (page.data.at(-1)?.id ?? null) : null;
  return { listed: page.data.length, taken, next };
}

/**
 * Goes on for some seconds with what a first key has to catch up on, of the connection that has read
 * least lately. Gives how many connections that were: 0 when there is nothing to do, or Stripe is
 * away, and a later run goes on. A key that may not read events, or a place in the list that Stripe
 * has forgotten, leaves it at that.
 */
export async function catchUpNext(deps: StripeDeps, cause: Cause): Promise<number> {
  const [connection] = await query<Owing>(
    deps.db.manager,
    `SELECT ${connectionColumns}, c.catch_up_since AS since, c.catch_up_after AS after
       FROM stripe_connections AS c
      WHERE c.deleted_at IS NULL AND c.restricted_key IS NOT NULL AND c.catch_up_since IS NOT NULL
      ORDER BY c.next_read_at NULLS FIRST LIMIT 1`,
    [],
  );
  if (!connection) return 0;
  const { since } = connection;
  const end = performance.now() + sliceMs;
  let { after } = connection;
  try {
    do {
      after = (await readPage(deps, cause, { connection, since, after })).next;
      await noteProgress(deps.db.manager, connection, after);
    } while (after !== null && performance.now() < end);
  } catch (error) {
    if (stripeFailure(error) === 'away') return 0;
    await noteProgress(deps.db.manager, connection, null);
  }
  return 1;
}

type Owing = KeyedConnection & { since: Date; after: string | null };

/** Null: all of it is read. A connection that was put anew meanwhile begins anew. */
async function noteProgress(db: Db, { id, since }: Owing, after: string | null): Promise<void> {
  await execute(
    db,
    `UPDATE stripe_connections
        SET catch_up_after = $3, catch_up_since = CASE WHEN $3::text IS NULL THEN NULL ELSE $2 END
      WHERE id = $1 AND catch_up_since = $2`,
    [id, since, after],
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

function failureOf(error: unknown): string {
  return stripeFailure(error) === 'refused'
    ? 'its key may not read events: it needs the permission rak_event_read'
    : 'Stripe did not answer';
}
