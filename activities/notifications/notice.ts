import type { Side } from '../../entities/rules/accounts/accounts';
import type { NotificationFacts } from '../../entities/rules/notifications/facts';
import type { NotificationType } from '../../entities/rules/notifications/types';
import type { Mode } from '../../entities/rules/values/mode';

/** Something that a workspace or a partner is to be notified of. */
export interface Notice {
  side: Side;
  /** The workspace, or the partner. */
  feedId: string;
  type: NotificationType;
  /** The event, or whatever else leads to one such notice only. */
  causeId: string;
  /** Security notices belong to no mode and are shown in both. */
  mode: Mode | 'both';
  /** Null for what concerns an account and no workspace. */
  workspaceId: string | null;
  /** The only member who sees it, where its audience is one. */
  memberId?: string;
  /** Where its mail goes instead of to the account's address. */
  mailTo?: string;
  participantId: string | null;
  /** Ids that a dashboard links with. */
  data: Record<string, string>;
  facts: NotificationFacts;
  /** When it happened; absent: now, in the transaction that writes the notice. */
  at?: Date;
  /** False where another notice's mail says the same already. */
  isMailed?: false;
}
