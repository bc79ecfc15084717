import type { Tx } from '../../entities/database/sql';
import type { Cause } from './cause';
import { record, type Effects } from './record';

/** The account, with what the audit log needs to know of it. */
type AuditedAccount =
  | { side: 'merchant'; id: string; workspaceId: string }
  | { side: 'partner'; id: string };

/** Writes what the holder of an account did with it, and the mails that follow from it. */
export async function recordAccount(
  tx: Tx,
  cause: Cause,
  {
    account,
    action,
    mails = [],
  }: Pick<Effects, 'mails'> & { account: AuditedAccount; action: string },
): Promise<void> {
  const { side, id } = account;
  const actor = { type: side === 'merchant' ? 'member' : 'partner', id } as const;
  const audit = {
    workspaceId: workspaceOf(account),
    action,
    target: { type: `${side}_account`, id },
  };
  await record(tx, { ...cause, actor }, { audit, mails });
}

/** Null for a partner, who belongs to no workspace. */
export function workspaceOf(account: AuditedAccount): string | null {
  return account.side === 'merchant' ? account.workspaceId : null;
}
