import { execute, type Db } from '../../entities/database/sql';

/**
 * Ends every session that the backup brought back: some of them had ended since. Those that began
 * after the restore was noted stay. Gives how many ended.
 */
export function endRestoredSessions(
  db: Db,
  { notedAt, now }: { notedAt: Date; now: Date },
): Promise<number> {
  return execute(
    db,
    'UPDATE sessions SET revoked_at = $2 WHERE revoked_at IS NULL AND created_at <= $1',
    [notedAt, now],
  );
}
