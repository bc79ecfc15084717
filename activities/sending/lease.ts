import { execute, query, transaction, type Db, type Tx } from '../../entities/database/sql';
import { newId } from '../../entities/ids';
import type { PayoutBatch } from '../../entities/tables/payouts/payout-batch.entity';
import type { SendingDeps } from './connection';
import { lockBatch } from './batches';

/** The time between the end of a request's time and that of the lease under which it was made. */
const spareMs = 15_000;

/** Who asks a provider about a batch; nobody else does meanwhile. */
export interface Lease {
  batchId: string;
  token: string;
  /** Awaited before each request: throws LeaseLost when it ended, else it lasts for one more request. */
  hold(): Promise<void>;
}

/** Somebody else may be asking by now. */
export class LeaseLost extends Error {
  override readonly name = 'LeaseLost';

  constructor() {
    super('the lease on a batch has ended');
  }
}

/** Longer than the limit of one request. */
export function leaseMs({ config }: Pick<SendingDeps, 'config'>): number {
  return config.payouts.timeoutMs + spareMs;
}

/**
 * Takes the lease on a batch where nobody has it, and notes with it what is begun: `begin` gives the columns, or
 * nothing when there is nothing to begin. Committed before the first byte.
 */
export function takeLease(
  deps: Pick<SendingDeps, 'db' | 'config' | 'clock'>,
  batchId: string,
  begin: (tx: Tx, batch: PayoutBatch, now: Date) => Promise<Begun | undefined>,
): Promise<{ lease: Lease; batch: PayoutBatch } | undefined> {
  return transaction(deps.db, async (tx) => {
    const now = deps.clock.now();
    const batch = await lockBatch(tx, batchId);
    if (!batch || isLeased(batch, now)) return undefined;
    const begun = await begin(tx, batch, now);
    if (!begun) return undefined;
    const token = newId();
    const until = new Date(now.getTime() + leaseMs(deps));
    await execute(
      tx,
      `UPDATE payout_batches SET lease_token = $2, lease_until = $3, tries = $4,
         is_in_doubt = $5, first_try_at = $6, asks = $7, asked_at = $8, next_at = $9 WHERE id = $1`,
      [
        batchId,
        token,
        until,
        begun.tries,
        begun.isInDoubt,
        begun.firstTryAt,
        begun.asks,
        begun.askedAt,
        begun.nextAt,
      ],
    );
    const lease = { batchId, token, hold: () => holdOn(deps, { batchId, token }) };
    return { lease, batch };
  });
}

export type Begun = Pick<
  PayoutBatch,
  'tries' | 'isInDoubt' | 'firstTryAt' | 'asks' | 'askedAt' | 'nextAt'
>;

export function isLeased({ leaseUntil }: Pick<PayoutBatch, 'leaseUntil'>, now: Date): boolean {
  return leaseUntil !== null && leaseUntil > now;
}

async function holdOn(
  deps: Pick<SendingDeps, 'db' | 'config' | 'clock'>,
  { batchId, token }: Pick<Lease, 'batchId' | 'token'>,
): Promise<void> {
  const now = deps.clock.now();
  const held = await execute(
    deps.db.manager,
    `UPDATE payout_batches SET lease_until = $3
      WHERE id = $1 AND lease_token = $2 AND lease_until > $4`,
    [batchId, token, new Date(now.getTime() + leaseMs(deps)), now],
  );
  if (held === 0) throw new LeaseLost();
}

/** Whether the lease is still this one's, within the transaction that uses what it asked. */
export async function isStill(db: Db, { batchId, token }: Pick<Lease, 'batchId' | 'token'>) {
  const rows = await query(db, 'SELECT 1 FROM payout_batches WHERE id = $1 AND lease_token = $2', [
    batchId,
    token,
  ]);
  return rows.length > 0;
}

/**
 * Takes the lease from a try of these items, so that one which still waits for its access token is never sent. No
 * other try begins before the lease would have ended.
 */
export async function cutOffTries(tx: Tx, itemIds: readonly string[]): Promise<void> {
  await execute(
    tx,
    `UPDATE payout_batches AS b SET lease_token = NULL
      WHERE b.status = 'trying' AND b.lease_token IS NOT NULL
        AND EXISTS (SELECT 1 FROM payout_items AS i WHERE i.batch_id = b.id AND i.id = ANY($1))`,
    [itemIds],
  );
}

/** Lets others ask. */
export async function endLease(db: Db, { batchId, token }: Pick<Lease, 'batchId' | 'token'>) {
  await execute(
    db,
    'UPDATE payout_batches SET lease_token = NULL, lease_until = NULL WHERE id = $1 AND lease_token = $2',
    [batchId, token],
  );
}
