import { insertAll } from '../../entities/database/insert-all';
import type { Tx } from '../../entities/database/sql';
import { AuditLogEntry } from '../../entities/tables/journal/audit-log-entry.entity';
import { auditRow, type AuditEntry } from './rows';

/** Appends who did what, in the transaction of the change. Ids and codes only, never free text. */
export async function recordAudit(tx: Tx, ...entries: readonly AuditEntry[]): Promise<void> {
  await insertAll(tx, { into: AuditLogEntry, rows: entries.map(auditRow) });
}
