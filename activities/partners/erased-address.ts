import { execute, queryOne, type Db, type Tx } from '../../entities/database/sql';
import { AppError } from '../../entities/errors';
import { erasedEmail } from '../../entities/rules/erasure/erasure';
import type { Vault } from '../../runtime/crypto/vault';

type Hashes = Pick<Vault, 'contactHash'>;

/** What stands for the address of an erased participant; another programme has another. */
function erasedAddressHash(vault: Hashes, programId: string, email: string): string {
  return vault.contactHash(`participant:${programId}:${email}`);
}

/** Keeps by what the addresses of participants are known once they are gone. The rows are locked. */
export async function keepErasedAddresses(
  { tx, vault }: { tx: Tx; vault: Hashes },
  participants: readonly { id: string; programId: string; partnerEmail: string }[],
): Promise<void> {
  const known = participants.filter(({ partnerEmail }) => partnerEmail !== erasedEmail);
  await execute(
    tx,
    `UPDATE participants AS p SET erased_address_hash = k.hash
       FROM unnest($1::uuid[], $2::text[]) AS k (id, hash) WHERE p.id = k.id`,
    [
      known.map(({ id }) => id),
      known.map((one) => erasedAddressHash(vault, one.programId, one.partnerEmail)),
    ],
  );
}

/**
 * Refuses an address of which the programme has an erased participant: PARTICIPANT_ERASED. The account
 * is another one by then, if it is the same person's or a server is about to make it.
 */
export async function refuseErasedAddress(
  { db, vault }: { db: Db; vault: Hashes },
  { programId, email }: { programId: string; email: string },
): Promise<void> {
  const erased = await queryOne(
    db,
    `SELECT 1 FROM participants
      WHERE program_id = $1 AND erased_address_hash = $2 AND erased_at IS NOT NULL LIMIT 1`,
    [programId, erasedAddressHash(vault, programId, email)],
  );
  if (erased) throw new AppError('PARTICIPANT_ERASED');
}
