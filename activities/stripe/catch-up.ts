import { query, type Db } from '../../entities/database/sql';
import { stripeEventTypes } from '../../entities/rules/stripe/read-event';
import type { Cause } from '../journal/cause';
import { createStripeClient, stripeFailure } from '../../runtime/connections/stripe';
import { connectionColumns, type ConnectionRecord, type StripeDeps } from './connection/connection';
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
  { connection, result, since, readGapMs = usualReadGapMs }: Reading,
): Promise<void> {
  const place = ['stripe_connections.restricted_key', connection.id] as const;
  const key = deps.vault.decrypt(connection.restrictedKey, place);
  const client = createStripeClient(deps.config, key);
  const intake = { db: deps.db.manager, vault: deps.vault };
  let after: string | undefined;
  do {
    await awaitRead(deps.db.manager, connection.id, readGapMs);
    const page = await client.events.list({
      created: { gte: Math.floor(since.getTime() / 1_000) },
      types: [...stripeEventTypes],
      limit: 100,
      ...(after === undefined ? {} : { starting_after: after }),
    });
    for (const event of page.data) {
      const isNews = await takeIn(intake, cause, { connection, text: JSON.stringify(event) });
      result.listed += 1;
      if (isNews) result.taken += 1;
    }
    after = page.has_more ? page.data.at(-1)?.id : undefined;
  } while (after !== undefined);
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
