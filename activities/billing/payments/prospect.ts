import { query, type Db } from '../../../entities/database/sql';
import { rulesOf } from '../../../entities/rules/billers';
import type { BillerEvent } from '../../../entities/tables/billing/biller-event.entity';
import type { Vault } from '../../../runtime/crypto/vault';
import type { ConversionReport } from '../../conversions/report';

/** What reads an address from what is stored. */
export type ProspectVault = Pick<Vault, 'decrypt' | 'contactHash'>;

/** The buyer's address as the fraud rules take it: in lower case, with its keyed hash. */
export function prospectOf(
  vault: Pick<Vault, 'contactHash'>,
  email: string | null,
): ConversionReport['prospect'] {
  const address = email?.trim().toLowerCase();
  return address ? { email: address, hash: vault.contactHash(address) } : null;
}

/**
 * The buyer of a payment that no event decided, from the events that are stored of it, which are
 * encrypted: the address is kept nowhere else. Null when none tells it.
 */
export async function storedProspect(
  { db, vault }: { db: Db; vault: ProspectVault },
  paymentId: string,
): Promise<ConversionReport['prospect']> {
  const events = await query<Pick<BillerEvent, 'id' | 'biller' | 'body' | 'receivedAt'>>(
    db,
    `SELECT id, biller, body, received_at AS "receivedAt" FROM stripe_events
      WHERE payment_id = $1 AND status IN ('waiting', 'ignored')
        AND (type LIKE 'checkout.%' OR type LIKE 'order.%'
          OR type IN ('invoice.paid', 'invoice.payment_succeeded'))
      ORDER BY type, received_at LIMIT 4`,
    [paymentId],
  );
  for (const { id, biller, body, receivedAt } of events) {
    const event: unknown = JSON.parse(vault.decrypt(body, ['stripe_events.body', id]));
    const facts = rulesOf(biller).factsOf(event, receivedAt.toISOString());
    const prospect = prospectOf(vault, facts?.email ?? null);
    if (prospect) return prospect;
  }
  return null;
}
