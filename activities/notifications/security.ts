import { newId } from '../../entities/ids';
import type { NotificationFacts } from '../../entities/rules/notifications/facts';
import type {
  MerchantNotificationType,
  PartnerNotificationType,
} from '../../entities/rules/notifications/types';
import type { Tx } from '../../entities/database/sql';
import type { Cause, WorkspaceContext } from '../journal/cause';
import { notify } from './notify';

type SecurityType = Extract<MerchantNotificationType, `security.${string}`>;

/** Whose account it is. */
type Holder =
  | { side: 'merchant'; id: string; workspaceId: string }
  | { side: 'partner'; id: string };

interface HolderNotice {
  type: Extract<PartnerNotificationType, `security.${string}`>;
  account: Holder;
  /** Where the mail goes instead of to the account's address. */
  mailTo?: string;
}

/** Notifies the holder of an account of what happened to it. */
export async function notifyHolder(
  tx: Tx,
  { now }: Cause,
  { type, account, mailTo }: HolderNotice,
): Promise<void> {
  const isMerchant = account.side === 'merchant';
  await notify(tx, { now }, [
    {
      side: account.side,
      feedId: isMerchant ? account.workspaceId : account.id,
      type,
      causeId: newId(),
      mode: 'both',
      workspaceId: isMerchant ? account.workspaceId : null,
      ...(isMerchant ? { memberId: account.id } : {}),
      ...(mailTo === undefined ? {} : { mailTo }),
      participantId: null,
      // The mail to a former address is found by it when the account is erased.
      data: isMerchant ? {} : { accountId: account.id },
      facts: {},
    },
  ]);
}

/** Notifies every admin and owner of a change of keys or members. */
export async function notifyAdmins(
  tx: Tx,
  { scope: { workspaceId }, now }: WorkspaceContext,
  notice: { type: SecurityType; data: Record<string, string>; facts: NotificationFacts },
): Promise<void> {
  await notify(tx, { now }, [
    {
      ...notice,
      side: 'merchant',
      feedId: workspaceId,
      causeId: newId(),
      mode: 'both',
      workspaceId,
      participantId: null,
    },
  ]);
}
