import { setTimeout as pause } from 'node:timers/promises';
import { queryOne, type Db } from '../../../entities/database/sql';

/** Reads of one connection are this far apart, in all processes together: fewer than five a second. */
export const usualReadGapMs = 220;

/**
 * Waits for the connection's next turn to read at Stripe. Its limits are the merchant's own, and the
 * shop needs them. The row gives turns to every process.
 */
export async function awaitRead(db: Db, connectionId: string, gapMs: number): Promise<void> {
  const turn = await queryOne<{ waitMs: number }>(
    db,
    `UPDATE stripe_connections
        SET next_read_at = greatest(next_read_at, clock_timestamp()) + $2 * interval '1 ms'
      WHERE id = $1
      RETURNING 1000 * extract(epoch FROM next_read_at - clock_timestamp())::float8 - $2 AS "waitMs"`,
    [connectionId, gapMs],
  );
  const waitMs = turn?.waitMs ?? 0;
  if (waitMs > 0) await pause(waitMs);
}
