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

/** The account that the notice is about. */
type Holder =
  | { side: 'merchant'; id: string; workspaceId: string }
  | { side: 'partner'; id: string };

interface HolderNotice {
  type: Extract<PartnerNotificationType, `security.${string}`>;
  account: Holder;
  /** Where the mail goes instead of to the account's address. */
  mailTo?: string;
  facts?: NotificationFacts;
}

/** Notifies the holder of an account of what happened to it. */
export async function notifyHolder(
  tx: Tx,
  { now }: Cause,
  { type, account, mailTo, facts = {} }: HolderNotice,
): Promise<void> {
  const { id } = account;
  const told =
    account.side === 'merchant'
      ? ({ ...ofWorkspace(account.workspaceId), memberId: id, data: {} } as const)
      : // The mail to a former address is found by it when the account is erased.
        ({ side: 'partner', feedId: id, workspaceId: null, data: { accountId: id } } as const);
  const to = mailTo === undefined ? {} : { mailTo };
  await notify(tx, { now }, [{ ...ofNoMode(), ...told, ...to, type, facts }]);
}

const ofNoMode = () => ({ causeId: newId(), mode: 'both', participantId: null }) as const;

const ofWorkspace = (workspaceId: string) =>
  ({ side: 'merchant', feedId: workspaceId, workspaceId }) as const;

/** Notifies every admin and owner of a change of keys or members. */
export async function notifyAdmins(
  tx: Tx,
  { scope: { workspaceId }, now }: WorkspaceContext,
  notice: { type: SecurityType; data: Record<string, string>; facts: NotificationFacts },
): Promise<void> {
  await notify(tx, { now }, [{ ...ofNoMode(), ...ofWorkspace(workspaceId), ...notice }]);
}
