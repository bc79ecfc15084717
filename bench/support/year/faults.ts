import { newId } from '../../../entities/ids';
import { execute, type Db } from '../../../entities/database/sql';
import { seedCommissions, seedProgram } from '../commission-world';

const hourMs = 3_600_000;

/** One pending commission a day without a workflow: only the repair can end its hold. */
export async function prepareFaults(db: Db, days: number): Promise<void> {
  const workspaceId = newId();
  await execute(
    db,
    `INSERT INTO workspaces (id, name, created_at, updated_at) VALUES ($1, 'Year', now(), now())`,
    [workspaceId],
  );
  const world = await seedProgram(db, workspaceId, 5);
  await seedCommissions(db, world, { count: days, onlyPending: true });
}

/** What a crash leaves behind, one of each kind: each repair has to find its own. */
export async function breakOneOfEach(db: Db, now: Date): Promise<void> {
  const longAgo = new Date(now.getTime() - 3 * hourMs);
  await execute(
    db,
    `UPDATE commissions SET auto_approve = true, hold_elapsed = false, hold_until = $1,
       version = version + 1
      WHERE id = (SELECT id FROM commissions WHERE status = 'pending' ORDER BY id LIMIT 1)`,
    [longAgo],
  );
  await execute(
    db,
    `UPDATE stripe_events SET status = 'received', touched_at = $1
      WHERE id = (SELECT id FROM stripe_events ORDER BY received_at DESC LIMIT 1)`,
    [longAgo],
  );
  // Its endpoint takes none.
  await execute(
    db,
    `UPDATE webhook_deliveries SET status = 'pending', next_attempt_at = $1,
       endpoint_id = (SELECT id FROM webhook_endpoints WHERE active_since IS NULL LIMIT 1)
      WHERE id = (SELECT id FROM webhook_deliveries ORDER BY id DESC LIMIT 1)`,
    [longAgo],
  );
}

/** Throws when a repair left what was broken for it. */
export function expectRepaired(day: Date, repaired: Readonly<Record<string, number>>): void {
  const idle = Object.entries(repaired).flatMap(([name, count]) => (count > 0 ? [] : [name]));
  if (idle.length === 0) return;
  throw new Error(`${day.toISOString()}: ${idle.join(', ')} found nothing of what was broken`);
}
