import type { Actor } from '../../entities/rules/values/actor';
import { insertAll } from '../../entities/database/insert-all';
import type { Tx } from '../../entities/database/sql';
import { AuditLogEntry } from '../../entities/tables/journal/audit-log-entry.entity';
import { auditRow } from './rows';

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
  await insertAll(tx, { into: AuditLogEntry, rows: [auditRow(entry)] });
}
