import { selectList } from '../../entities/database/columns';
import { query, rowsAtOnce } from '../../entities/database/sql';
import { dayMs } from '../../entities/rules/values/duration';
import { Erasure } from '../../entities/tables/erasure/erasure.entity';
import { searchAttributes, type Searchable } from '../../runtime/temporal/search-attributes';
import type { Deps } from '../../runtime/process/deps';
import { taskQueues, workflowIds, type EraseSubjectInput } from '../../runtime/temporal/messages';
import { forgetRecipient } from '../erasure/confirmation';
import { settleMsOf } from '../erasure/settle-time';
import { before, idAfter, lostAfterMs, withoutWorkflow, type RepairBatch } from './open-workflows';

const columns = selectList(Erasure, 'e', ['id', 'kind', 'subjectId', 'erasedAt']);
type OpenErasure = Pick<Erasure, 'id' | 'kind' | 'subjectId' | 'erasedAt'> & Searchable;

/**
 * Erasures that have not ended and have no workflow, each handed to one again that goes on with its
 * row: what was not decided is undone, all else is finished. And addresses whose confirmation is
 * over, which a lost workflow left. One batch in the order of ids, from `cursor` on.
 */
export async function repairErasures(deps: Deps, cursor: string | null): Promise<RepairBatch> {
  const forgotten = cursor === null ? await forgetRecipients(deps) : 0;
  const open = await query<OpenErasure>(
    deps.db.manager,
    `SELECT ${columns}, p.workspace_id AS "workspaceId", p.mode FROM erasures AS e
       LEFT JOIN participants AS p ON e.kind = 'participant' AND p.id = e.subject_id
      WHERE e.status IN ('locked', 'anonymised') AND e.erased_at < $1
        AND ($2::uuid IS NULL OR e.id > $2) ORDER BY e.id LIMIT ${rowsAtOnce}`,
    [before(deps.clock.now(), lostAfterMs), cursor],
  );
  const lost = await withoutWorkflow(deps, { rows: open, workflowIdOf });
  for (const erasure of lost) await goOn(deps, erasure);
  const next = idAfter(open);
  return { cursor: next, repaired: forgotten + lost.length, more: next !== null };
}

function workflowIdOf({ kind, subjectId }: OpenErasure): string {
  return workflowIds.erasure(kind, subjectId);
}

async function goOn(
  { temporal, config }: Deps,
  { id: erasureId, kind, subjectId, erasedAt, ...scope }: OpenErasure,
): Promise<void> {
  const begun = { erasureId, erasedAt: erasedAt.toISOString() };
  const input: EraseSubjectInput = { kind, subjectId, settleMs: settleMsOf(config), begun };
  await temporal.client.workflow.start('eraseSubject', {
    workflowId: workflowIds.erasure(kind, subjectId),
    taskQueue: taskQueues.erasure,
    args: [input],
    // Somebody who asks at this moment comes first.
    workflowIdConflictPolicy: 'USE_EXISTING',
    typedSearchAttributes: searchAttributes(scope),
    staticSummary: `Erasure of the ${kind} ${subjectId}`,
  });
}

/** An address is kept for its confirmation for a day, sent or not. */
async function forgetRecipients(deps: Deps): Promise<number> {
  const now = deps.clock.now();
  const over = await query<{ id: string }>(
    deps.db.manager,
    `SELECT e.id FROM sealed_recipients AS s JOIN erasures AS e ON e.mail_id = s.mail_id
       JOIN mails AS m ON m.id = s.mail_id
      WHERE e.status = 'completed' AND e.erased_at < $1
        AND (m.status <> 'queued' OR e.erased_at < $2) LIMIT ${rowsAtOnce}`,
    [before(now, lostAfterMs), before(now, dayMs)],
  );
  for (const { id } of over) await forgetRecipient(deps.db.manager, { now }, id);
  return over.length;
}
