import { execute, transaction, type Db } from '../../entities/database/sql';
import type { Cause } from '../journal/cause';
import { record } from '../journal/record';

/** Lets payouts go on. Gives how many restores had stopped them; 0 when none did. */
export function releasePayouts(db: Db, cause: Cause): Promise<number> {
  return transaction(db, async (tx) => {
    const released = await execute(
      tx,
      'UPDATE restores SET payouts_released_at = $1 WHERE payouts_released_at IS NULL',
      [cause.now],
    );
    if (released === 0) return 0;
    const target = { type: 'restore', id: null };
    await record(tx, cause, { audit: { action: 'restore.payouts_released', target } });
    return released;
  });
}
