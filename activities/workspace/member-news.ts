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

/** A command of a member at the time that it takes effect. */
export interface MemberChangeContext extends MemberCommand {
  now: Date;
}

export interface MemberChange {
  verb: 'invited' | 'joined' | 'role_changed' | 'removed';
  type: 'member' | 'member_invite';
  id: string;
  email: string;
  role: Role;
}

/**
 * Audits a change of members and notifies every admin and owner (docs/reference/notifications.md,
 * Mail).
 */
export async function announceMember(
  tx: Tx,
  context: MemberChangeContext,
  { verb, type, id, email, role }: MemberChange,
): Promise<void> {
  await auditMember(tx, context, { action: `member.${verb}`, type, id });
  await notifyAdmins(
    tx,
    {
      type: `security.member_${verb}`,
      workspaceId: context.workspaceId,
      data: { memberId: id },
      facts: { memberEmail: email, role },
    },
    context.now,
  );
}

/** Appends what a member did in the workspace to the audit log. */
export async function auditMember(
  tx: Tx,
  { workspaceId, actor, requestId, now: at }: MemberChangeContext,
  { action, type, id }: { action: string; type: string; id: string },
): Promise<void> {
  await recordAudit(tx, { workspaceId, actor, action, target: { type, id }, requestId, at });
}
