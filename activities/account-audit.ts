import type { Db } from '../entities/sql';
import type { Account } from './accounts.activities';
import { recordAudit } from './audit.activities';

/** Appends to the audit log what the holder of an account did with it. */
export async function auditAccount(
  tx: Db,
  entry: { account: Account; action: string; requestId?: string | undefined },
  at: Date,
): Promise<void> {
  const { account, action, requestId } = entry;
  const { side, id } = account;
  await recordAudit(tx, {
    workspaceId: workspaceOf(account),
    actor: { type: side === 'merchant' ? 'member' : 'partner', id },
    action,
    target: { type: `${side}_account`, id },
    requestId,
    at,
  });
}

/** Null for a partner, who belongs to no workspace. */
export function workspaceOf(account: Account): string | null {
  return account.side === 'merchant' ? account.workspaceId : null;
}
