import { AppError } from '../../entities/errors';
import { newId } from '../../entities/ids';
import { normaliseEmail } from '../../entities/rules/accounts/accounts';
import {
  type Db,
  execute,
  query,
  queryOne,
  transaction,
  type Tx,
} from '../../entities/database/sql';
import type { Cause, WorkspaceContext } from '../journal/cause';
import { record } from '../journal/record';
import type { Vault } from '../../runtime/crypto/vault';

export const suppressionReasons = ['bounced', 'complained'] as const;
export type SuppressionReason = (typeof suppressionReasons)[number];

export interface ProviderEvent {
  /** The provider's id of the message: a repeat changes nothing. */
  messageId: string;
  type: string;
  /** Addresses that must not be written to any more. */
  suppress: { addresses: string[]; reason: SuppressionReason } | undefined;
}

interface SuppressionDeps {
  db: Db;
  vault: Pick<Vault, 'contactHash'>;
}

/** Takes an event of the mail provider in; suppression holds from the commit on. */
export async function recordProviderEvent(
  { db, vault }: SuppressionDeps,
  cause: Cause,
  event: ProviderEvent,
): Promise<void> {
  await transaction(db, async (tx) => {
    const isNew = await execute(
      tx,
      `INSERT INTO email_provider_events (id, message_id, type, received_at) VALUES ($1, $2, $3, $4)
       ON CONFLICT (message_id) DO NOTHING`,
      [newId(), storable(event.messageId, 255), storable(event.type, 100), cause.now],
    );
    if (isNew === 1 && event.suppress) await suppress({ db: tx, vault }, cause, event.suppress);
  });
}

/** Writes to these addresses no more, from the commit on; one that is suppressed stays as it is. */
export async function suppress(
  { db: tx, vault }: SuppressionDeps & { db: Tx },
  { now }: Pick<Cause, 'now'>,
  { addresses, reason }: NonNullable<ProviderEvent['suppress']>,
): Promise<void> {
  // In one order, so that two events about the same addresses do not deadlock.
  for (const address of [...new Set(addresses.map(normaliseEmail))].sort()) {
    await execute(
      tx,
      `INSERT INTO suppressed_addresses (id, email_hash, email, reason, created_at)
       VALUES ($1, $2, $3, $4, $5) ON CONFLICT (email_hash) DO NOTHING`,
      [newId(), vault.contactHash(address), address, reason, now],
    );
  }
}

/** Whatever a provider sends as a name can be stored: printable ASCII of bounded length. */
function storable(text: string, length: number): string {
  return text.slice(0, length).replace(/[^\x20-\x7e]/g, '?');
}

/** Whether an address bounced or complained; it is stored as a keyed hash only. */
export async function isSuppressed(
  { db, vault }: SuppressionDeps,
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

/** Lifts the suppression of an address that the workspace deals with. NOT_FOUND for any other. */
export async function liftSuppression(
  db: Db,
  context: WorkspaceContext,
  { suppressionId }: { suppressionId: string },
): Promise<void> {
  const { scope, now } = context;
  await transaction(db, async (tx) => {
    const lifted = await query(
      tx,
      `DELETE FROM suppressed_addresses s WHERE s.id = $3 AND ${concernsWorkspace} RETURNING s.id`,
      [scope.workspaceId, now, suppressionId],
    );
    if (lifted.length === 0) throw new AppError('NOT_FOUND');
    const target = { type: 'suppressed_address', id: suppressionId };
    await record(tx, context, { audit: { action: 'suppressed_address.lifted', target } });
  });
}
