import { driverCode } from '../../entities/database/errors';
import { execute, transaction, type Db, type Tx } from '../../entities/database/sql';

export const tooSlow = 'could not be read in time; ask again, or by SQL';

/**
 * Reads a part of what is told, each statement of it for `partMs` milliseconds at most. One that takes longer, such as
 * the outbox when a million rows wait, is named in place of what it would say: it keeps none of the others.
 */
export async function inTime<T>(
  db: Db,
  partMs: number,
  { read, orSay }: { read: (tx: Tx) => Promise<T[]>; orSay: () => T },
): Promise<T[]> {
  try {
    return await transaction(db, async (tx) => {
      await execute(tx, `SET LOCAL statement_timeout = ${Math.round(partMs)}`);
      return read(tx);
    });
  } catch (error) {
    if (driverCode(error) === queryCanceled) return [orSay()];
    throw error;
  }
}

const queryCanceled = '57014';
