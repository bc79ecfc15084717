import { transaction, type Db } from '../../entities/database/sql';
import type { Cause, WorkspaceContext } from './cause';
import { record } from './record';
import type { AuditEntry } from './rows';

/** What was handed out; the target's id is the workspace's where it is of all of it. */
export type ExportAction =
  | 'participant.exported'
  | 'account.exported'
  | 'payout.exported'
  | 'statement.exported'
  | 'ledger.exported'
  | 'commissions.exported'
  | 'partners.exported'
  | 'import.problems_exported'
  | 'program.exported'
  | 'program.exported_with_payout';

/**
 * Notes who was handed personal data, before the first byte leaves: a file that breaks off may have
 * been read as well.
 */
export async function noteExport(
  db: Db,
  context: Cause | WorkspaceContext,
  { action, target }: { action: ExportAction; target: AuditEntry['target'] },
): Promise<void> {
  await transaction(db, (tx) => record(tx, context, { audit: { action, target } }));
}
