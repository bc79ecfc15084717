import { query, type Db } from '../../entities/database/sql';
import type { Cause } from '../journal/cause';
import {
  accountOf,
  connectionColumns,
  type BillerDeps,
  type ConnectionRecord,
} from './connection/connection';
import { awaitRead, usualReadGapMs } from './events/pace';
import { takeInPage } from './events/take-in-page';
import type { ListPage } from './reader';

type Keyed = ConnectionRecord & { restrictedKey: string };

/** Takes a connection whose list of disputes is to be read; another process takes another one. */
const takeNext = `
  UPDATE stripe_connections AS c SET disputes_read_at = $1
   WHERE c.id = (SELECT d.id FROM stripe_connections AS d
                  WHERE d.deleted_at IS NULL AND d.restricted_key IS NOT NULL AND d.biller = 'polar'
                    AND (d.disputes_read_at IS NULL
                      OR d.disputes_read_at < $1::timestamptz - interval '1 hour')
                    AND ($2::uuid IS NULL OR d.id = $2)
                  ORDER BY d.disputes_read_at NULLS FIRST LIMIT 1 FOR UPDATE SKIP LOCKED)
  RETURNING ${connectionColumns}`;

/**
 * Reads the disputes of a connection to a biller that tells none by events, once an hour, to the end of the
 * list. Gives how many connections that were. One that cannot be asked is asked again an hour later. Talks to
 * the network: never inside a transaction.
 */
export async function readDisputesNext(
  deps: BillerDeps,
  cause: Cause,
  connectionId: string | null = null,
): Promise<number> {
  const [connection] = await query<Keyed>(deps.db.manager, takeNext, [cause.now, connectionId]);
  if (!connection) return 0;
  try {
    await readAll(deps, cause, connection);
  } catch {
    // An event that needs a permission which the key lacks says so.
  }
  return 1;
}

async function readAll(deps: BillerDeps, cause: Cause, connection: Keyed): Promise<void> {
  const db: Db = deps.db.manager;
  const account = accountOf(deps, connection);
  let place: string | null = null;
  do {
    await awaitRead(db, connection.id, usualReadGapMs);
    const page: ListPage | undefined = await account.listDisputes?.({ place, now: cause.now });
    if (!page) return;
    await takeInPage(deps, cause, { connection, events: page.events, recovered: false });
    place = page.next;
  } while (place !== null);
}
