import { execute, type Db } from '../../entities/database/sql';
import type { RepairPart } from '../../runtime/temporal/messages';
import { seedCommissions, seedProgram, seedWorkspace } from '../support/commission-world';

const hourMs = 3_600_000;

/** The repairs for which each day breaks something. The others need Stripe, or a run of a workflow. */
export const brokenParts = [
  'overdue',
  'lifecycles',
  'webhooks',
  'stripe_events',
  'mails',
  'requeues',
  'test_resets',
] as const satisfies readonly RepairPart[];

/** One pending commission a day without a workflow, and one more: only the repair can end its hold. */
export async function prepareFaults(db: Db, days: number): Promise<void> {
  const workspaceId = await seedWorkspace(db);
  const world = await seedProgram(db, workspaceId, 5);
  await seedCommissions(db, world, { count: days + 1, onlyPending: true });
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

/** What the workflows of mails, requeues and resets leave behind when they are lost. */
export async function loseWorkflows(db: Db, now: Date): Promise<void> {
  const longAgo = new Date(now.getTime() - 3 * hourMs);
  // The relay has taken what the last evening's repairs queued.
  await execute(db, 'DELETE FROM outbox');
  await execute(
    db,
    `UPDATE mails SET status = 'queued', created_at = $1
      WHERE id = (SELECT id FROM mails ORDER BY created_at DESC LIMIT 1)`,
    [longAgo],
  );
  await execute(db, 'DELETE FROM webhook_requeues');
  await execute(
    db,
    `INSERT INTO webhook_requeues (id, workspace_id, mode, endpoint_id, until, created_at)
     SELECT gen_random_uuid(), id, 'test', gen_random_uuid(), $1, $1 FROM workspaces LIMIT 1`,
    [longAgo],
  );
  await execute(db, `UPDATE test_data_resets SET status = 'completed', finished_at = $1`, [
    longAgo,
  ]);
  await execute(
    db,
    `INSERT INTO test_data_resets (id, workspace_id, status, created_at, touched_at)
     SELECT gen_random_uuid(), id, 'queued', $1, $1 FROM workspaces LIMIT 1`,
    [longAgo],
  );
}

/** A commission says that more is owed than its ledger has. */
export async function breakLedger(db: Db): Promise<void> {
  await execute(
    db,
    `UPDATE commissions SET owed_cents = owed_cents + 1, version = version + 1
      WHERE id = (SELECT id FROM commissions ORDER BY id DESC LIMIT 1)`,
  );
}

/** A sum without raw rows. */
export async function breakSum(db: Db, start: Date): Promise<void> {
  await execute(
    db,
    `INSERT INTO analytics_totals (workspace_id, mode, program_id, measure, minutes, start, value)
     SELECT workspace_id, mode, id, 'clicks', 15, $1, 1 FROM programs LIMIT 1`,
    [start],
  );
}

export async function mendSums(db: Db): Promise<void> {
  await execute(
    db,
    `UPDATE commissions SET owed_cents = owed_cents - 1, version = version + 1
      WHERE id = (SELECT id FROM commissions ORDER BY id DESC LIMIT 1)`,
  );
  await execute(
    db,
    `DELETE FROM analytics_totals WHERE program_id IN (SELECT id FROM programs) AND measure = 'clicks'`,
  );
}

/** Throws when a repair left what was broken for it. */
export function expectRepaired(day: Date, repaired: Readonly<Record<string, number>>): void {
  const idle = Object.entries(repaired).flatMap(([name, count]) => (count > 0 ? [] : [name]));
  if (idle.length === 0) return;
  throw new Error(`${day.toISOString()}: ${idle.join(', ')} found nothing of what was broken`);
}
