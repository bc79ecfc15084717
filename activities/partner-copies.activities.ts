import { execute, query } from '../entities/sql';
import type { Db } from '../entities/sql';
import { enqueue } from './outbox.activities';

const batchSize = 1_000;
/** Long enough for any transaction that read the old name to have ended. */
const secondPassMs = 10_000;

/**
 * A partner's new name: at once on its participants, erased ones excepted, and by the relay on what
 * repeats it (contract part 3: within 20 s). Call it in the transaction that changes the account.
 */
export async function renamePartner(
  tx: Db,
  partnerId: string,
  { name, now }: { name: string; now: Date },
): Promise<void> {
  const renamed = await execute(
    tx,
    `UPDATE participants SET partner_name = $2, updated_at = $3
      WHERE partner_id = $1 AND erased_at IS NULL AND partner_name <> $2`,
    [partnerId, name, now],
  );
  if (renamed === 0) return;

  // The second pass finds commissions of transactions that had read the old name and ended late.
  for (const delayMs of [0, secondPassMs]) {
    const availableAt = new Date(now.getTime() + delayMs);
    await enqueue(tx, { topic: 'partner_name', ref: partnerId, availableAt });
  }
}

/** A partner's new address on its participants, erased ones excepted; nothing else repeats it. */
export async function changePartnerEmail(
  tx: Db,
  partnerId: string,
  { email, now }: { email: string; now: Date },
): Promise<void> {
  await execute(
    tx,
    `UPDATE participants SET partner_email = $2, updated_at = $3
      WHERE partner_id = $1 AND erased_at IS NULL`,
    [partnerId, email, now],
  );
}

/**
 * Carries the names of a partner's participants to their commissions, in transactions of bounded
 * size. It looks at what is true now, so that repeats and wrong order do no harm.
 */
export async function spreadPartnerName(db: Db, partnerId: string): Promise<void> {
  const participants = await query<{ id: string }>(
    db,
    'SELECT id FROM participants WHERE partner_id = $1 ORDER BY id',
    [partnerId],
  );
  for (const { id } of participants) {
    let changed: number;
    do {
      changed = await renameCommissions(db, id);
    } while (changed === batchSize);
  }
}

/** The participant is held meanwhile: an erasure's placeholder is never overwritten by a name. */
async function renameCommissions(db: Db, participantId: string): Promise<number> {
  return db.transaction(async (tx) => {
    const [participant] = await query<{ name: string }>(
      tx,
      'SELECT partner_name AS name FROM participants WHERE id = $1 FOR SHARE',
      [participantId],
    );
    return execute(
      tx,
      `WITH stale AS (
         SELECT id FROM commissions
          WHERE participant_id = $1 AND partner_name <> $2
          ORDER BY id LIMIT ${batchSize} FOR UPDATE)
       UPDATE commissions SET partner_name = $2 FROM stale WHERE commissions.id = stale.id`,
      [participantId, participant?.name],
    );
  });
}
