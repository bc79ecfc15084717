import { execute, query, type Db, type Tx } from '../../entities/database/sql';
import { AppError } from '../../entities/errors';
import { erasedEmail } from '../../entities/rules/erasure/erasure';
import {
  earlierOf,
  isErasedByMerchant,
  type Departed,
  type Earlier,
} from '../../entities/rules/partners/earlier';
import type { Vault } from '../../runtime/crypto/vault';
import { isCarried } from '../commissions/carried';

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
 * What is open of an address whose account its person erased: a member has to review it. Null: nothing.
 * PARTICIPANT_ERASED where a merchant erased it.
 */
export async function earlierOfAddress(
  stores: { db: Db; vault: Hashes },
  address: AddressInProgram,
): Promise<Earlier | null> {
  const departed = await departedOf(stores, address);
  if (isErasedByMerchant(departed)) throw new AppError('PARTICIPANT_ERASED');
  return earlierOf(departed);
}

/**
 * The same for an address that a server names: nobody is put back who erased their account and has
 * nothing open, they come by themselves. PARTICIPANT_ERASED.
 */
export async function earlierOfAdded(
  stores: { db: Db; vault: Hashes },
  address: AddressInProgram,
): Promise<Earlier | null> {
  const departed = await departedOf(stores, address);
  const earlier = isErasedByMerchant(departed) ? null : earlierOf(departed);
  if (departed.length > 0 && !earlier) throw new AppError('PARTICIPANT_ERASED');
  return earlier;
}

/** The addresses among many whose participant was erased, by the person or by a merchant. */
export async function erasedAddresses(
  { db, vault }: { db: Db; vault: Hashes },
  { programId, emails }: { programId: string; emails: readonly string[] },
): Promise<Set<string>> {
  const byHash = new Map(
    emails.map((email) => [erasedAddressHash(vault, programId, email), email]),
  );
  const rows = await query<{ hash: string }>(
    db,
    `SELECT erased_address_hash AS hash FROM participants
      WHERE program_id = $1 AND erased_address_hash = ANY ($2::text[])
        AND erased_address_hash IS NOT NULL`,
    [programId, [...byHash.keys()]],
  );
  return new Set(rows.map(({ hash }) => byHash.get(hash) ?? ''));
}

interface AddressInProgram {
  programId: string;
  email: string;
}

/** Who had an account of their own, and whose participation a merchant erased, is not to come back. */
const erasedBy = `CASE WHEN EXISTS (SELECT 1 FROM erasures AS e
    WHERE e.kind = 'participant' AND e.subject_id = p.id AND e.status <> 'cancelled')
  AND EXISTS (SELECT 1 FROM partner_accounts AS a
    WHERE a.id = p.partner_id AND a.password_hash IS NOT NULL) THEN 'merchant' ELSE 'person' END`;

function departedOf(
  { db, vault }: { db: Db; vault: Hashes },
  { programId, email }: AddressInProgram,
): Promise<Departed[]> {
  return query<Departed>(
    db,
    `SELECT p.status, ${erasedBy} AS "erasedBy",
            (SELECT coalesce(jsonb_agg(jsonb_build_object('currency', d.currency,
                      'amountCents', d.cents) ORDER BY d.currency), '[]')
               FROM (SELECT c.currency, -sum(c.owed_cents - c.reserved_cents) AS cents
                       FROM commissions AS c WHERE c.participant_id = p.id AND ${isCarried}
                      GROUP BY c.currency
                     HAVING sum(c.owed_cents - c.reserved_cents) < 0) AS d) AS debts
       FROM participants AS p
      WHERE p.program_id = $1 AND p.erased_address_hash = $2 AND p.erased_at IS NOT NULL`,
    [programId, erasedAddressHash(vault, programId, email)],
  );
}
