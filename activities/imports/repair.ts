import { execute, query, transaction, type Db } from '../../entities/database/sql';
import { importKeptDays } from '../../entities/rules/imports/status';
import { dayMs } from '../../entities/rules/values/duration';
import { systemActor } from '../../entities/rules/values/actor';
import { enqueueSql, isNotQueued } from '../journal/outbox';
import { forgetRead } from './forget';
import { auditImport, findForWork, moveImport, wakeImport } from './imports';

/**
 * Imports that are at work get a workflow, whatever has lost it, and those that nobody went on with for 30
 * days end: what was read for them goes. Gives how many there were of both.
 */
export async function repairImports(db: Db, now: Date): Promise<number> {
  const woken = await execute(
    db,
    enqueueSql({
      topic: 'import',
      ref: 'i.id',
      workspaceId: 'i.workspace_id',
      availableAt: '$1',
      from: `imports AS i
        WHERE (i.status IN ('reading', 'applying', 'undoing')
            OR i.status = 'applied' AND i.announced IS NOT NULL AND i.place IS NOT NULL)
          AND ${isNotQueued('import', 'i.id')}`,
    }),
    [now],
  );
  return woken + (await endOld(db, now));
}

const atOnce = 20;

async function endOld(db: Db, now: Date): Promise<number> {
  const since = new Date(now.getTime() - importKeptDays * dayMs);
  const old = await query<{ id: string }>(
    db,
    `SELECT id FROM imports
      WHERE status IN ('draft', 'checked', 'failed') AND created_at < $1
         OR status = 'stopped' AND updated_at < $1
      ORDER BY created_at LIMIT ${atOnce}`,
    [since],
  );
  for (const { id } of old) await endOne(db, { id, now });
  return old.length;
}

function endOne(db: Db, { id, now }: { id: string; now: Date }): Promise<void> {
  return transaction(db, async (tx) => {
    const held = await findForWork(tx, id, 'FOR UPDATE');
    const isStopped = held?.status === 'stopped';
    if (!held || !(isStopped || ['draft', 'checked', 'failed'].includes(held.status))) return;
    const ended = { endedAt: now, updatedAt: now, progress: null };
    // The check's report says what would have come of it, and not what has.
    const set = isStopped ? { ...ended, report: null, appliedAt: now } : ended;
    await moveImport(tx, held, { trigger: isStopped ? 'expire' : 'cancel', set });
    await forgetRead(tx, id);
    const { workspaceId, mode } = held;
    const context = { actor: systemActor, now, scope: { workspaceId, mode } };
    await auditImport(tx, context, { importId: id, action: 'import.expired' });
    // The workflow deletes its rows, in batches.
    await wakeImport(tx, context, id);
  });
}
