import { execute, type Db } from '../../entities/database/sql';

/** Notes that the work of a schedule succeeded, now or at `at`, and never goes back. */
export async function noteSuccess(db: Db, schedule: string, at?: Date): Promise<void> {
  await execute(
    db,
    `INSERT INTO scheduled_work (schedule, succeeded_at) VALUES ($1, coalesce($2, now()))
     ON CONFLICT (schedule) DO UPDATE SET succeeded_at = EXCLUDED.succeeded_at
      WHERE scheduled_work.succeeded_at < EXCLUDED.succeeded_at`,
    [schedule, at ?? null],
  );
}
