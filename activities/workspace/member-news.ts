import type { Actor } from '../../entities/rules/values/actor';
import type { Role } from '../../entities/rules/values/roles';
import { type Tx } from '../../entities/database/sql';
import { recordAudit } from '../journal/audit';
import { notifyAdmins } from '../notifications/security';

export interface MemberCommand {
  workspaceId: string;
  actor: Actor;
  requestId?: string | undefined;
}

export interface MemberChange {
  verb: 'invited' | 'joined' | 'role_changed' | 'removed';
  type: 'member' | 'member_invite';
  id: string;
  email: string;
  role: Role;
}

/**
 * Audits a change of members and tells every admin and owner (docs/reference/notifications.md,
 * Mail).
 */
export async function announceMember(
  tx: Tx,
  command: MemberCommand,
  { verb, type, id, email, role }: MemberChange,
  now: Date,
): Promise<void> {
  await auditMember(tx, command, { action: `member.${verb}`, type, id }, now);
  await notifyAdmins(
    tx,
    {
      type: `security.member_${verb}`,
      workspaceId: command.workspaceId,
      data: { memberId: id },
      facts: { memberEmail: email, role },
    },
    now,
  );
}

/** Appends what a member did in the workspace to the audit log. */
export async function auditMember(
  tx: Tx,
  { workspaceId, actor, requestId }: MemberCommand,
  { action, type, id }: { action: string; type: string; id: string },
  at: Date,
): Promise<void> {
  await recordAudit(tx, { workspaceId, actor, action, target: { type, id }, requestId, at });
}
