import { erasedEmail, erasedText } from '../../entities/rules/erasure/erasure';
import { inviteMoves } from '../../entities/rules/partners/invite';
import type { Scope } from '../../entities/rules/values/mode';
import { movingSql } from '../../entities/database/moving';
import { execute, query, transaction, type Db, type Tx } from '../../entities/database/sql';
import type { CommandContext } from '../journal/cause';
import { record } from '../journal/record';
import { insertReceipt } from './receipts';

export interface EraseInvites {
  email: string;
  partnerId: string;
}

/**
 * Erases what a merchant's invites hold of a partner: those to the address, and those that the
 * partner accepted. Open ones are dead; who joined stays. Nothing that matches is fine.
 */
export async function erasePartnerInvites(
  db: Db,
  context: CommandContext,
  command: EraseInvites,
): Promise<void> {
  const { scope, now } = context;
  await transaction(db, async (tx) => {
    const inviteIds = await eraseInvites(tx, scope, command);
    if (inviteIds.length === 0) return;

    const mails = await eraseInviteMails(tx, scope, inviteIds);
    await insertReceipt(tx, {
      erasureId: null,
      kind: 'invites',
      place: { ...scope, programId: null, participantId: null },
      changes: { partner_invites: inviteIds.length, ...(mails > 0 ? { mails } : {}) },
      erasedAt: now,
      completedAt: now,
    });
    const target = { type: 'partner_account', id: command.partnerId };
    await record(tx, context, { audit: { action: 'partner_invites.erased', target } });
  });
}

const erasing = movingSql(inviteMoves, { trigger: 'erase', to: 'erased', of: 'i' });

/** Rows are locked in the order of their ids, so that two erasures do not deadlock. */
async function eraseInvites(
  tx: Tx,
  { workspaceId, mode }: Scope,
  { email, partnerId }: EraseInvites,
): Promise<string[]> {
  const erased = await query<{ id: string }>(
    tx,
    `WITH due AS (
       SELECT id FROM partner_invites
        WHERE workspace_id = $1 AND mode = $2 AND (email = $3 OR accepted_by = $4)
          AND status <> 'erased' ORDER BY id FOR UPDATE)
     UPDATE partner_invites AS i SET ${erasing.set}, email = $5, name = NULL
       FROM due WHERE i.id = due.id AND ${erasing.where} RETURNING i.id`,
    [workspaceId, mode, email, partnerId, erasedEmail],
  );
  return erased.map(({ id }) => id);
}

function eraseInviteMails(
  tx: Tx,
  { workspaceId, mode }: Scope,
  inviteIds: readonly string[],
): Promise<number> {
  return execute(
    tx,
    `UPDATE mails SET recipient = $4, params = '{}',
            subject = CASE WHEN subject IS NULL THEN NULL ELSE $5 END,
            status = CASE status WHEN 'queued' THEN 'dropped' ELSE status END
      WHERE workspace_id = $1 AND mode = $2 AND type = 'partner.invited'
        AND params->>'inviteId' = ANY($3)`,
    [workspaceId, mode, inviteIds, erasedEmail, erasedText],
  );
}
