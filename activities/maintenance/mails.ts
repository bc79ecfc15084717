import { execute, query, rowsAtOnce, transaction } from '../../entities/database/sql';
import { noticeMailTypes } from '../../entities/rules/mail/mail';
import { workflowIds } from '../../runtime/temporal/messages';
import { forgetOverMails, mailWorkSql } from '../journal/mail-queue';
import { noWorkspace } from '../journal/outbox';
import type { Deps } from '../../runtime/process/deps';
import { before, idAfter, lostAfterMs, withoutWorkflow, type RepairBatch } from './open-workflows';
import { hourMs } from '../../entities/rules/values/duration';

/** The time after which a mail has failed: its workflow gives up after a day. */
const overAfterMs = 25 * hourMs;

/**
 * A mail that waits without a workflow gets one again; one that has waited for more than a day has
 * lost its point, and leaves the outbox. Those come first, so that a backlog starts with what is sent.
 */
export async function repairMails(deps: Deps, cursor: string | null): Promise<RepairBatch> {
  const now = deps.clock.now();
  const failed = await failOverdue(deps, now);
  if (failed >= rowsAtOnce) return { cursor, repaired: failed, more: true };

  const waiting = await findUnqueued(deps, { now, cursor });
  const workflowIdOf = ({ id }: { id: string }): string => workflowIds.mail(id);
  const lost = await withoutWorkflow(deps, { rows: waiting, workflowIdOf });
  const ids = lost.map(({ id }) => id);
  const queued = ids.length === 0 ? 0 : await queueAgain(deps, ids, now);
  const next = idAfter(waiting);
  return { cursor: next, repaired: failed + queued, more: next !== null };
}

function failOverdue({ db }: Pick<Deps, 'db'>, now: Date): Promise<number> {
  return transaction(db, async (tx) => {
    const failed = await execute(
      tx,
      `UPDATE mails SET status = 'failed', finished_at = $2
        WHERE status = 'queued' AND id IN (SELECT id FROM mails WHERE status = 'queued'
          AND created_at < $1 ORDER BY created_at LIMIT ${rowsAtOnce})`,
      [before(now, overAfterMs), now],
    );
    if (failed > 0) await forgetOverMails(tx, { first: 2 * rowsAtOnce });
    return failed;
  });
}

// The notices of a workspace are started in their order: those as young as the first that is due, or
// younger, wait in the outbox. The recursion jumps from workspace to workspace in its index.
const unqueued = `
  WITH RECURSIVE line AS (
    (SELECT o.workspace_id FROM outbox o WHERE o.topic = 'notice_mail' ORDER BY o.workspace_id LIMIT 1)
    UNION ALL
    SELECT (SELECT o.workspace_id FROM outbox o
             WHERE o.topic = 'notice_mail' AND o.workspace_id > line.workspace_id
             ORDER BY o.workspace_id LIMIT 1)
      FROM line WHERE line.workspace_id IS NOT NULL
  ), front AS MATERIALIZED (
    SELECT line.workspace_id, f.created_at FROM line CROSS JOIN LATERAL (
      SELECT o.ref FROM outbox o
       WHERE o.topic = 'notice_mail' AND o.workspace_id = line.workspace_id AND o.available_at <= $4
       ORDER BY o.available_at, o.id LIMIT 1
    ) AS first JOIN mails f ON f.id = first.ref)
  SELECT m.id FROM mails m
    LEFT JOIN front ON front.workspace_id = coalesce(m.workspace_id, '${noWorkspace}')
   WHERE m.status = 'queued' AND m.created_at < $1 AND ($2::uuid IS NULL OR m.id > $2)
     AND (m.type = ANY($3) AND m.created_at >= front.created_at) IS NOT TRUE
     AND NOT EXISTS (SELECT 1 FROM erasures x WHERE x.status = 'locked' AND x.mail_id = m.id)
   ORDER BY m.id LIMIT ${rowsAtOnce}`;

/**
 * Mails that have waited for long, without notices that are still to be started, and without confirmations
 * of erasures that may still be undone.
 */
function findUnqueued(
  { db }: Pick<Deps, 'db'>,
  { now, cursor }: { now: Date; cursor: string | null },
): Promise<{ id: string }[]> {
  return query(db.manager, unqueued, [before(now, lostAfterMs), cursor, noticeMailTypes, now]);
}

/** One look through the topics for all of them: the outbox has no index by mail. */
function queueAgain({ db }: Pick<Deps, 'db'>, ids: string[], now: Date): Promise<number> {
  return execute(
    db.manager,
    `WITH queued AS MATERIALIZED (
       SELECT ref FROM outbox WHERE topic IN ('mail', 'notice_mail') AND ref = ANY($1))
     ${mailWorkSql(`mails AS m WHERE m.id = ANY($1) AND m.id NOT IN (SELECT ref FROM queued)`, '$2', { lost: true })}`,
    [ids, now],
  );
}
