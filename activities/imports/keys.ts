import type { ReadRow } from '../../entities/rules/imports/rows';
import type { Vault } from '../../runtime/crypto/vault';

/**
 * What one of theirs is known by. Some systems use addresses as ids: of those a keyed hash is kept, which
 * an erasure can leave alone.
 */
export function keyOf(vault: Pick<Vault, 'contactHash'>, theirId: string): string {
  return theirId.includes('@') ? `hash:${vault.contactHash(`import:${theirId}`)}` : theirId;
}

/** Keys of a row that was read. */
export function keysOf(
  vault: Pick<Vault, 'contactHash'>,
  { theirId, partnerId, fields }: ReadRow,
): { theirKey: string; partnerKey: string; customerKey: string | null } {
  const customerId = 'customerId' in fields && 'saleIds' in fields ? fields.customerId : null;
  return {
    theirKey: keyOf(vault, theirId),
    partnerKey: keyOf(vault, partnerId),
    customerKey: customerId === null ? null : keyOf(vault, customerId),
  };
}
