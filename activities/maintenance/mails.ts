import { execute, query } from '../../entities/database/sql';
import { workflowIds } from '../../workflows/messages';
import { mailWorkSql } from '../journal/mail-queue';
import { isNotQueued } from '../journal/outbox';
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
    mailWorkSql(
      `mails AS m WHERE m.id = ANY($1) AND ${isNotQueued('mail', 'm.id')}
         AND ${isNotQueued('notice_mail', 'm.id')}`,
      '$2',
    ),
    [ids, now],
  );
}
