import { newId } from '../../entities/ids';
import type { Actor } from '../../entities/rules/values/actor';
import { execute, type Tx } from '../../entities/database/sql';

export interface AuditEntry {
  /** Null for what concerns no workspace, such as a partner's own sign-in. */
  workspaceId: string | null;
  actor: Actor;
  /** `<thing>.<past tense>`, such as `api_key.created`. */
  action: string;
  target: { type: string; id: string | null };
  requestId?: string | undefined;
  at: Date;
}

/** Appends who did what, in the transaction of the change. Ids and codes only, never free text. */
export async function recordAudit(tx: Tx, entry: AuditEntry): Promise<void> {
  await execute(
    tx,
    `INSERT INTO audit_log (id, workspace_id, actor_type, actor_id, action, target_type, target_id,
       request_id, created_at)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)`,
    [
      newId(),
      entry.workspaceId,
      entry.actor.type,
      entry.actor.id,
      entry.action,
      entry.target.type,
      entry.target.id,
      entry.requestId ?? null,
      entry.at,
    ],
  );
}
