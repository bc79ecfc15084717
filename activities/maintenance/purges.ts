import { execute, type Db } from '../../entities/database/sql';
import { accountPurges, purgeAccountTable } from '../accounts/retention';
import { purgeNotifications } from '../notifications/retention';
import { purgeStripeEvents } from '../stripe/upkeep';
import { purgeDeliveries, purgeEndpoints } from '../webhooks/repair';

const dayMs = 86_400_000;
const limit = 5_000;

type Purge = (db: Db, now: Date) => Promise<number>;

/** What is past its time, by table: each deletes one batch and gives how many rows went. */
export const purges: Readonly<Record<string, Purge>> = {
  idempotency_keys: purgeIdempotencyKeys,
  stripe_events: purgeStripeEvents,
  webhook_deliveries: (db, now) => purgeDeliveries(db, { now, limit }),
  notifications: purgeNotifications,
  webhook_endpoints: (db, now) => purgeEndpoints(db, now),
  ...Object.fromEntries(
    accountPurges.map((purge) => [purge.table, (db, now) => purgeAccountTable(db, purge, now)]),
  ),
};

export const purgedTables: readonly string[] = Object.keys(purges);

function purgeIdempotencyKeys(db: Db, now: Date): Promise<number> {
  return execute(
    db,
    `DELETE FROM idempotency_keys WHERE ctid IN (
       SELECT ctid FROM idempotency_keys WHERE created_at < $1 LIMIT ${limit})`,
    [new Date(now.getTime() - dayMs)],
  );
}
