import { erasedEmail, erasedText } from '../../entities/rules/erasure/erasure';
import type { Scope } from '../../entities/rules/values/mode';
import { execute, query, transaction, type Db } from '../../entities/database/sql';
import { recordAudit } from '../journal/audit';
import type { Cause } from '../journal/cause';
import { insertReceipt } from './receipts';

export interface EraseInvites extends Cause {
  scope: Scope;
  email: string;
  partnerId: string;
}

/**
 * Erases what a merchant's invites hold of a partner: those to the address, and those that the
 * partner accepted. Open ones are dead; who joined stays. Nothing that matches is fine.
 */
export async function erasePartnerInvites(db: Db, command: EraseInvites): Promise<void> {
  const { scope, email, partnerId, now } = command;
  await transaction(db, async (tx) => {
    const invites = await query<{ id: string }>(
      tx,
      `SELECT id FROM partner_invites
        WHERE workspace_id = $1 AND mode = $2 AND (email = $3 OR accepted_by = $4)
          AND status <> 'erased' ORDER BY id FOR UPDATE`,
      [scope.workspaceId, scope.mode, email, partnerId],
    );
    if (invites.length === 0) return;

    const ids = invites.map(({ id }) => id);
    await execute(
      tx,
      `UPDATE partner_invites SET email = $2, name = NULL, status = 'erased' WHERE id = ANY($1)`,
      [ids, erasedEmail],
    );
    const mails = await execute(
      tx,
      `UPDATE mails SET recipient = $4, params = '{}',
              subject = CASE WHEN subject IS NULL THEN NULL ELSE $5 END,
              status = CASE status WHEN 'queued' THEN 'dropped' ELSE status END
        WHERE workspace_id = $1 AND mode = $2 AND type = 'partner.invited'
          AND params->>'inviteId' = ANY($3)`,
      [scope.workspaceId, scope.mode, ids, erasedEmail, erasedText],
    );
    await insertReceipt(tx, {
      erasureId: null,
      kind: 'invites',
      place: { ...scope, programId: null, participantId: null },
      changes: { partner_invites: ids.length, ...(mails > 0 ? { mails } : {}) },
      erasedAt: now,
      completedAt: now,
    });
    await recordAudit(tx, {
      workspaceId: scope.workspaceId,
      actor: command.actor,
      action: 'partner_invites.erased',
      target: { type: 'partner_account', id: partnerId },
      requestId: command.requestId,
      at: now,
    });
  });
}
