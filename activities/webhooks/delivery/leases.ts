import { execute, type Db } from '../../../entities/database/sql';
import type { Deps } from '../../../runtime/process/deps';
import { deliveryLeaseMs, type ClaimedDelivery } from './claim';

const renewEveryMs = 2_000;

type Held = Pick<ClaimedDelivery, 'id' | 'leaseToken'>;

/** The leases that this process holds. */
export interface LeaseKeeper {
  /** Renews the lease until the returned function is called. */
  hold(delivery: Held): () => void;
  /**
   * The deliveries that this process sends: it must not claim them again, should a lease have run
   * out while the database was away.
   */
  ids(): string[];
}

export function createLeaseKeeper({ db, log }: Pick<Deps, 'db' | 'log'>): LeaseKeeper {
  const held = new Map<Held, number>();
  let renewing: NodeJS.Timeout | undefined;

  /** What was claimed a moment ago has nearly all of its time before it. */
  function older(): Held[] {
    const before = performance.now() - renewEveryMs / 2;
    return [...held].flatMap(([delivery, since]) => (since < before ? [delivery] : []));
  }

  function renewAll(): void {
    const due = older();
    if (due.length === 0) return;
    renew(db.manager, due).catch((error: unknown) => {
      log.warn({ err: error }, 'leases of webhook deliveries could not be renewed');
    });
  }

  return {
    hold(delivery) {
      held.set(delivery, performance.now());
      renewing ??= setInterval(renewAll, renewEveryMs);
      return () => {
        held.delete(delivery);
        if (held.size > 0) return;
        clearInterval(renewing);
        renewing = undefined;
      };
    },
    ids: () => older().map(({ id }) => id),
  };
}

/** Skips rows that are locked: their result is being recorded, so their lease is about to end. */
function renew(db: Db, held: readonly Held[]): Promise<number> {
  return execute(
    db,
    `WITH held AS MATERIALIZED (
       SELECT d.id FROM unnest($1::uuid[], $2::uuid[]) AS h(id, token)
         JOIN webhook_deliveries d ON d.id = h.id AND d.lease_token = h.token
        ORDER BY d.id FOR UPDATE OF d SKIP LOCKED)
     UPDATE webhook_deliveries d SET lease_until = now() + $3 * interval '1 millisecond'
       FROM held WHERE d.id = held.id`,
    [held.map(({ id }) => id), held.map(({ leaseToken }) => leaseToken), deliveryLeaseMs],
  );
}
