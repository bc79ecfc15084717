import { AppError } from '../../entities/errors';
import { newId } from '../../entities/ids';
import { normaliseEmail } from '../../entities/rules/accounts/accounts';
import type { Actor } from '../../entities/rules/values/actor';
import { type Db, execute, query, queryOne, transaction } from '../../entities/database/sql';
import { recordAudit } from '../journal/audit';
import type { Vault } from '../runtime/crypto/vault';

export const suppressionReasons = ['bounced', 'complained'] as const;
export type SuppressionReason = (typeof suppressionReasons)[number];

export interface ProviderEvent {
  /** The provider's id of the message: a repeat changes nothing. */
  messageId: string;
  type: string;
  /** Addresses that must not be written to any more. */
  suppress: { addresses: string[]; reason: SuppressionReason } | undefined;
}

/** Takes an event of the mail provider in; suppression holds from the commit on. */
export async function recordProviderEvent(
  db: Db,
  vault: Pick<Vault, 'contactHash'>,
  event: ProviderEvent & { now: Date },
): Promise<void> {
  await transaction(db, async (tx) => {
    const isNew = await execute(
      tx,
      `INSERT INTO email_provider_events (id, message_id, type, received_at) VALUES ($1, $2, $3, $4)
       ON CONFLICT (message_id) DO NOTHING`,
      [newId(), storable(event.messageId, 255), storable(event.type, 100), event.now],
    );
    if (isNew === 0 || !event.suppress) return;

    // In one order, so that two events about the same addresses cannot wait for each other.
    const addresses = [...new Set(event.suppress.addresses.map(normaliseEmail))].sort();
    for (const address of addresses) {
      await execute(
        tx,
        `INSERT INTO suppressed_addresses (id, email_hash, email, reason, created_at)
         VALUES ($1, $2, $3, $4, $5) ON CONFLICT (email_hash) DO NOTHING`,
        [newId(), vault.contactHash(address), address, event.suppress.reason, event.now],
      );
    }
  });
}

/** Whatever a provider sends as a name can be stored: printable ASCII of bounded length. */
function storable(text: string, length: number): string {
  return text.slice(0, length).replace(/[^\x20-\x7e]/g, '?');
}

/** Whether an address bounced or complained; it is stored as a keyed hash only. */
export async function isSuppressed(
  db: Db,
  vault: Pick<Vault, 'contactHash'>,
  address: string,
): Promise<boolean> {
  const row = await queryOne(db, 'SELECT 1 FROM suppressed_addresses WHERE email_hash = $1', [
    vault.contactHash(normaliseEmail(address)),
  ]);
  return row !== undefined;
}

/**
 * Condition on `suppressed_addresses s`: the address is of a member, a participant or an open
 * invite of the workspace $1 at the time $2. A workspace sees and lifts no others
 * (docs/reference/notifications.md, Mail).
 */
export const concernsWorkspace = `s.email IS NOT NULL AND (
  EXISTS (SELECT 1 FROM merchant_accounts a
    WHERE a.email = s.email AND a.workspace_id = $1 AND a.removed_at IS NULL)
  OR EXISTS (SELECT 1 FROM partner_accounts a JOIN participants p ON p.partner_id = a.id
    WHERE a.email = s.email AND p.workspace_id = $1 AND a.erased_at IS NULL
      AND p.erased_at IS NULL)
  OR EXISTS (SELECT 1 FROM member_invites i WHERE i.email = s.email AND i.workspace_id = $1
      AND i.accepted_at IS NULL AND i.withdrawn_at IS NULL AND i.expires_at > $2)
  OR EXISTS (SELECT 1 FROM partner_invites i WHERE i.email = s.email AND i.workspace_id = $1
      AND i.status = 'pending' AND i.expires_at > $2))`;

/**
 * Lifts the suppression of an address that the workspace deals with.
 *
 * @throws AppError NOT_FOUND for any other
 */
export async function liftSuppression(
  db: Db,
  command: {
    workspaceId: string;
    suppressionId: string;
    actor: Actor;
    requestId?: string | undefined;
  },
  now: Date,
): Promise<void> {
  const { workspaceId, suppressionId, actor, requestId } = command;
  await transaction(db, async (tx) => {
    const lifted = await query(
      tx,
      `DELETE FROM suppressed_addresses s WHERE s.id = $3 AND ${concernsWorkspace} RETURNING s.id`,
      [workspaceId, now, suppressionId],
    );
    if (lifted.length === 0) throw new AppError('NOT_FOUND');
    await recordAudit(tx, {
      workspaceId,
      actor,
      action: 'suppressed_address.lifted',
      target: { type: 'suppressed_address', id: suppressionId },
      requestId,
      at: now,
    });
  });
}
