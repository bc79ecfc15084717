import { AppError } from '../../entities/errors';
import { query, type Db } from '../../entities/database/sql';

/**
 * SERVICE_UNAVAILABLE after a restore of the database, until an operator has compared it with what
 * the banks paid meanwhile (docs/restore.md): what was paid since then looks payable again.
 */
export async function assertReleased(db: Db): Promise<void> {
  const held = await query(
    db,
    'SELECT 1 FROM restores WHERE payouts_released_at IS NULL LIMIT 1',
    [],
  );
  if (held.length === 0) return;
  throw new AppError('SERVICE_UNAVAILABLE', {
    message: 'Payouts wait until a restore of the database has been looked over.',
    headers: { 'Retry-After': '600' },
  });
}
