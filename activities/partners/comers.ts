import { findOne } from '../../entities/database/find';
import { queryOne, type Tx } from '../../entities/database/sql';
import type { Earlier } from '../../entities/rules/partners/earlier';
import { Participant } from '../../entities/tables/partners/participant.entity';
import type { Vault } from '../../runtime/crypto/vault';
import { earlierOfAddress } from './erased-address';

interface Comer {
  programId: string;
  partner: { id: string; email: string };
}

/**
 * What a member has to review before a partner takes part who comes by themselves; null where a member
 * approved them since. PARTICIPANT_ERASED.
 */
export async function earlierOfComer(
  { tx, vault }: { tx: Tx; vault: Pick<Vault, 'contactHash'> },
  { programId, partner }: Comer,
): Promise<Earlier | null> {
  const where = { programId, partnerId: partner.id };
  const known = await findOne(tx, Participant, { where });
  if (known?.approvedAt) return null;
  return earlierOfAddress({ db: tx, vault }, { programId, email: partner.email });
}

/**
 * Whether a server has added the address of somebody who has not proved it: confirming it, or the
 * claim, leads to that participation, and one address has one.
 */
export async function isBound(tx: Tx, { programId, partner }: Comer): Promise<boolean> {
  const bound = await queryOne(
    tx,
    `SELECT 1 FROM participants
      WHERE program_id = $1 AND bound_email = $2 AND proven_at IS NULL AND partner_id <> $3`,
    [programId, partner.email, partner.id],
  );
  return bound !== undefined;
}
