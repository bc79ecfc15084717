import { SuppressedAddress } from '../../entities/tables/mail/suppressed-address.entity';
import { EmailProviderEvent } from '../../entities/tables/mail/email-provider-event.entity';
import { insertAll } from '../../entities/database/insert-all';
import { AppError } from '../../entities/errors';
import { newId } from '../../entities/ids';
import { normaliseEmail } from '../../entities/rules/values/email';
import { type Db, execute, queryOne, transaction, type Tx } from '../../entities/database/sql';
import type { Cause, WorkspaceContext } from '../journal/cause';
import { record } from '../journal/record';
import type { Vault } from '../../runtime/crypto/vault';
import { suppressedOfWorkspace } from './of-workspace';

export const suppressionReasons = ['bounced', 'complained'] as const;
type SuppressionReason = (typeof suppressionReasons)[number];

export interface ProviderEvent {
  /** The provider's id of the message: a repeat changes nothing. */
  messageId: string;
  type: string;
  /** Addresses that must not be written to any more. */
  suppress: { addresses: readonly string[]; reason: SuppressionReason } | undefined;
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
    const told = { messageId: storable(event.messageId, 255), type: storable(event.type, 100) };
    const isNew = await insertAll(tx, {
      into: EmailProviderEvent,
      rows: [{ id: newId(), ...told, receivedAt: cause.now }],
      onConflict: 'ON CONFLICT (message_id) DO NOTHING',
    });
    if (isNew === 1 && event.suppress) await suppress({ db: tx, vault }, cause, event.suppress);
  });
}

/** Writes to these addresses no more, from the commit on. A complaint counts more than a bounce. */
export async function suppress(
  { db: tx, vault }: SuppressionDeps & { db: Tx },
  { now }: Pick<Cause, 'now'>,
  { addresses, reason }: NonNullable<ProviderEvent['suppress']>,
): Promise<void> {
  // Addresses are written in one order, so that two events about the same ones do not deadlock.
  for (const address of [...new Set(addresses.map(normaliseEmail))].sort()) {
    await insertAll(tx, {
      into: SuppressedAddress,
      rows: [{ id: newId(), emailHash: vault.contactHash(address), reason, createdAt: now }],
      onConflict: `ON CONFLICT (email_hash) DO UPDATE SET reason = EXCLUDED.reason
        WHERE EXCLUDED.reason = 'complained'`,
    });
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
 * Lifts the suppression of an address that bounced and that the workspace deals with. NOT_FOUND for
 * any other; SUPPRESSION_COMPLAINED: only the person takes a complaint back, by a verified address.
 */
export async function liftSuppression(
  { db, vault }: SuppressionDeps,
  context: WorkspaceContext,
  { suppressionId }: { suppressionId: string },
): Promise<void> {
  const { scope, now } = context;
  const { workspaceId } = scope;
  await transaction(db, async (tx) => {
    const known = await suppressedOfWorkspace({ db: tx, vault }, { workspaceId, now });
    const suppressed = known.find(({ id }) => id === suppressionId);
    if (!suppressed) throw new AppError('NOT_FOUND');
    if (suppressed.reason === 'complained') throw new AppError('SUPPRESSION_COMPLAINED');
    await execute(tx, 'DELETE FROM suppressed_addresses WHERE id = $1', [suppressionId]);
    const target = { type: 'suppressed_address', id: suppressionId };
    await record(tx, context, { audit: { action: 'suppressed_address.lifted', target } });
  });
}

/** Writes to an address again whose owner has just shown that mail arrives and is wanted. */
export async function liftForOwner({ db, vault }: SuppressionDeps, address: string): Promise<void> {
  await execute(db, 'DELETE FROM suppressed_addresses WHERE email_hash = $1', [
    vault.contactHash(normaliseEmail(address)),
  ]);
}
