import { AppError } from '../../entities/errors';
import type { Actor } from '../../entities/rules/values/actor';
import { type Db, execute, queryOne, transaction } from '../../entities/database/sql';
import { recordAudit } from '../journal/audit';

export interface WorkspaceRecord {
  id: string;
  name: string;
  testEmailRedirect: string | null;
  createdAt: Date;
  updatedAt: Date;
}

export interface WorkspacePatch {
  name?: string;
  /** null: test mails go nowhere. */
  testEmailRedirect?: string | null;
}

/** Changes what is given. */
export async function updateWorkspace(
  db: Db,
  command: {
    workspaceId: string;
    patch: WorkspacePatch;
    actor: Actor;
    requestId?: string | undefined;
  },
  now: Date,
): Promise<WorkspaceRecord> {
  const { workspaceId, patch, actor, requestId } = command;
  if (Object.keys(patch).length === 0) return getWorkspace(db, workspaceId);
  return transaction(db, async (tx) => {
    await execute(
      tx,
      `UPDATE workspaces SET name = coalesce($2, name),
         test_email_redirect = CASE WHEN $3 THEN $4 ELSE test_email_redirect END, updated_at = $5
       WHERE id = $1`,
      [
        workspaceId,
        patch.name ?? null,
        patch.testEmailRedirect !== undefined,
        patch.testEmailRedirect ?? null,
        now,
      ],
    );
    await recordAudit(tx, {
      workspaceId,
      actor,
      action: 'workspace.updated',
      target: { type: 'workspace', id: workspaceId },
      requestId,
      at: now,
    });
    return getWorkspace(tx, workspaceId);
  });
}

/** @throws AppError NOT_FOUND */
export async function getWorkspace(db: Db, workspaceId: string): Promise<WorkspaceRecord> {
  const workspace = await queryOne<WorkspaceRecord>(
    db,
    `SELECT id, name, test_email_redirect AS "testEmailRedirect", created_at AS "createdAt",
       updated_at AS "updatedAt"
     FROM workspaces WHERE id = $1`,
    [workspaceId],
  );
  if (!workspace) throw new AppError('NOT_FOUND');
  return workspace;
}
