import { execute, query } from '../../entities/database/sql';
import { workflowIds } from '../../workflows/messages';
import type { Deps } from '../runtime/process/deps';
import { withoutWorkflow } from './open-workflows';

const minute = 60_000;
const lostAfterMs = 10 * minute;
/** Its workflow gives up after a day. */
const overAfterMs = 25 * 60 * minute;
const checkedAtOnce = 300;

/**
 * A mail that waits without a workflow gets one again; one that has waited for more than a day has
 * lost its point. Gives where the next batch goes on and how many were repaired.
 */
export async function repairMails(
  deps: Deps,
  cursor: string | null,
): Promise<{ cursor: string | null; repaired: number }> {
  const now = deps.clock.now();
  const before = (ms: number): Date => new Date(now.getTime() - ms);
  const failed = await execute(
    deps.db.manager,
    `UPDATE mails SET status = 'failed', finished_at = $2
      WHERE status = 'queued' AND id IN (SELECT id FROM mails WHERE status = 'queued'
        AND created_at < $1 ORDER BY created_at LIMIT 1000)`,
    [before(overAfterMs), now],
  );
  const waiting = await query<{ id: string }>(
    deps.db.manager,
    `SELECT id FROM mails WHERE status = 'queued' AND created_at < $1
        AND ($2::uuid IS NULL OR id > $2) ORDER BY id LIMIT ${checkedAtOnce}`,
    [before(lostAfterMs), cursor],
  );
  const names = new Map(waiting.map(({ id }) => [workflowIds.mail(id), id]));
  const lost = await withoutWorkflow(deps, [...names.keys()]);
  const queued = await queueAgain(
    deps,
    [...lost].flatMap((name) => names.get(name) ?? []),
    now,
  );
  const last = waiting.length < checkedAtOnce ? null : (waiting.at(-1)?.id ?? null);
  return { cursor: last, repaired: failed + queued };
}

function queueAgain({ db }: Pick<Deps, 'db'>, ids: string[], now: Date): Promise<number> {
  return execute(
    db.manager,
    `INSERT INTO outbox (topic, ref, payload, workspace_id, available_at)
     SELECT 'mail', m.id, jsonb_strip_nulls(jsonb_build_object('type', m.type, 'mode', m.mode)),
       coalesce(m.workspace_id, 'ffffffff-ffff-ffff-ffff-ffffffffffff'), $2
       FROM mails m WHERE m.id = ANY($1) AND NOT EXISTS (SELECT 1 FROM outbox AS o
         WHERE o.topic = 'mail' AND o.ref = m.id)`,
    [ids, now],
  );
}
