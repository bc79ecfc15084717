import { AppError } from '../../entities/errors';
import { selectList } from '../../entities/database/columns';
import { type Db, execute, queryOne, transaction } from '../../entities/database/sql';
import { Workspace } from '../../entities/tables/workspace/workspace.entity';
import type { WorkspaceContext } from '../journal/cause';
import { record } from '../journal/record';

const shown = [
  'id',
  'name',
  'testEmailRedirect',
  'requireTwoFactor',
  'createdAt',
  'updatedAt',
  'closesAt',
] as const;
export type WorkspaceRecord = Pick<Workspace, (typeof shown)[number]>;

export interface WorkspacePatch {
  name?: string;
  /** null: test mails go nowhere. */
  testEmailRedirect?: string | null;
  /** Members without a second factor reach nothing but their own account. */
  requireTwoFactor?: boolean;
}

/** Changes what is given. */
export async function updateWorkspace(
  db: Db,
  context: WorkspaceContext,
  patch: WorkspacePatch,
): Promise<WorkspaceRecord> {
  const { workspaceId } = context.scope;
  if (Object.keys(patch).length === 0) return getWorkspace(db, workspaceId);
  return transaction(db, async (tx) => {
    await execute(
      tx,
      `UPDATE workspaces SET name = coalesce($2, name),
         test_email_redirect = CASE WHEN $3 THEN $4 ELSE test_email_redirect END,
         require_two_factor = coalesce($6, require_two_factor), updated_at = $5
       WHERE id = $1`,
      [
        workspaceId,
        patch.name ?? null,
        patch.testEmailRedirect !== undefined,
        patch.testEmailRedirect ?? null,
        context.now,
        patch.requireTwoFactor ?? null,
      ],
    );
    const target = { type: 'workspace', id: workspaceId };
    await record(tx, context, { audit: { action: 'workspace.updated', target } });
    if (patch.requireTwoFactor !== undefined) {
      const verb = patch.requireTwoFactor ? 'required' : 'made_optional';
      await record(tx, context, { audit: { action: `workspace.two_factor_${verb}`, target } });
    }
    return getWorkspace(tx, workspaceId);
  });
}

/** NOT_FOUND. */
export async function getWorkspace(db: Db, workspaceId: string): Promise<WorkspaceRecord> {
  const workspace = await queryOne<WorkspaceRecord>(
    db,
    `SELECT ${selectList(Workspace, 'w', shown)} FROM workspaces AS w WHERE w.id = $1`,
    [workspaceId],
  );
  if (!workspace) throw new AppError('NOT_FOUND');
  return workspace;
}
