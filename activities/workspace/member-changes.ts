import type { Role } from '../../entities/rules/values/roles';
import type { Tx } from '../../entities/database/sql';
import type { WorkspaceContext } from '../journal/cause';
import { record, type Effects } from '../journal/record';
import { notifyAdmins } from '../notifications/security';

export interface MemberChange {
  verb: 'invited' | 'joined' | 'role_changed' | 'removed';
  type: 'member' | 'member_invite';
  id: string;
  email: string;
  role: Role;
  /** The live keys that a removed member had made. */
  keys?: string[];
}

/**
 * Writes a change of members, with the mails that follow from it, and notifies every admin and owner
 * (docs/reference/notifications.md, Mail).
 */
export async function recordMemberChange(
  tx: Tx,
  context: WorkspaceContext,
  { verb, type, id, email, role, keys, mails = [] }: MemberChange & Pick<Effects, 'mails'>,
): Promise<void> {
  await record(tx, context, { audit: { action: `member.${verb}`, target: { type, id } }, mails });
  await notifyAdmins(tx, context, {
    type: `security.member_${verb}`,
    data: { memberId: id },
    facts: { memberEmail: email, role, ...(keys ? { keys } : {}) },
  });
}
