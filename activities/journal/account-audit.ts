import { type Tx } from '../../entities/database/sql';
import { recordAudit } from './audit';

/** Whose account it is: what the audit log needs to know of it. */
type AuditedAccount =
  { side: 'merchant'; id: string; workspaceId: string } | { side: 'partner'; id: string };

/** Appends to the audit log what the holder of an account did with it. */
export async function auditAccount(
  tx: Tx,
  entry: { account: AuditedAccount; action: string; requestId?: string | undefined },
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
export function workspaceOf(account: AuditedAccount): string | null {
  return account.side === 'merchant' ? account.workspaceId : null;
}
