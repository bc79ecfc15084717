import { EmailToken } from '../../entities/tables/accounts/email-token.entity';
import { Session } from '../../entities/tables/accounts/session.entity';
import { PartnerAccount } from '../../entities/tables/accounts/partner-account.entity';
import { update } from '../../entities/database/update';
import { insertAll } from '../../entities/database/insert-all';
import { violatedConstraint } from '../../entities/database/errors';
import { execute, transaction, type Tx } from '../../entities/database/sql';
import { Erasure } from '../../entities/tables/erasure/erasure.entity';
import type { Cause } from '../journal/cause';
import type { Deps } from '../../runtime/process/deps';
import { enqueueSql } from '../journal/outbox';
import { killTokensOf } from '../accounts/email-tokens';
import { endSessionsOf } from '../credentials/sessions';
import { lockErasure, moveErasure, participationsOf, type ErasureKey } from './subject';

/** Sessions, mail tokens, codes and links end, each at the moment of the erasure; again is fine. */
export async function revokeAccess({ db }: Pick<Deps, 'db'>, erasureId: string): Promise<void> {
  await transaction(db, async (tx) => {
    const erasure = await lockErasure(tx, erasureId);
    if (erasure.status !== 'locked') return;

    const { kind, subjectId: accountId, erasedAt } = erasure;
    if (kind === 'account') {
      await endSessionsOf(tx, { now: erasedAt }, { side: 'partner', accountId });
      await killTokensOf(tx, { now: erasedAt }, { side: 'partner', accountId });
    }
    await execute(
      tx,
      `UPDATE referral_tokens SET retired_at = $2
        WHERE participant_id = ANY($1) AND retired_at IS NULL`,
      [await participantIdsOf(tx, erasure), erasedAt],
    );
  });
}

/**
 * Undoes what was done before the point of no return. False when it cannot be undone, because the
 * address has an account of its own by now: then the erasure has to go on.
 */
export async function unlockSubject(
  { db }: Pick<Deps, 'db'>,
  context: Pick<Cause, 'now'>,
  lock: ErasureKey,
): Promise<boolean> {
  try {
    await transaction(db, (tx) => unlock(tx, context, lock));
    return true;
  } catch (error) {
    if (violatedConstraint(error)?.startsWith('uq_partner_account_')) return false;
    throw error;
  }
}

async function unlock(
  tx: Tx,
  context: Pick<Cause, 'now'>,
  { erasureId, kind, subjectId }: ErasureKey,
): Promise<void> {
  // An attempt to lock that comes late, when its caller gave it up, finds this row and fails.
  const cancelled = { status: 'cancelled', requestedByType: 'system' } as const;
  await insertAll(tx, {
    into: Erasure,
    rows: [{ id: erasureId, kind, subjectId, ...cancelled, erasedAt: context.now }],
    onConflict: 'ON CONFLICT (id) DO NOTHING',
  });
  const erasure = await lockErasure(tx, erasureId);
  if (erasure.status !== 'locked') return;

  if (erasure.kind === 'account') await restoreAccount(tx, erasure);
  const participantIds = await participantIdsOf(tx, erasure);
  await moveErasure(tx, context, { erasure, trigger: 'cancel' });
  await execute(tx, 'SELECT 1 FROM participants WHERE id = ANY($1) ORDER BY id FOR UPDATE', [
    participantIds,
  ]);
  // Another erasure, of the account or of one participation, may cover some of them.
  await execute(
    tx,
    `UPDATE participants AS p SET erased_at = NULL, erased_address_hash = NULL WHERE p.id = ANY($1)
        AND NOT EXISTS (SELECT 1 FROM erasures AS e WHERE e.status <> 'cancelled'
          AND (e.kind = 'participant' AND e.subject_id = p.id
            OR e.kind = 'account' AND e.subject_id = p.partner_id))`,
    [participantIds],
  );
  await execute(
    tx,
    `UPDATE referral_tokens AS t SET retired_at = NULL
       FROM participants AS p
      WHERE p.id = t.participant_id AND p.id = ANY($1) AND p.erased_at IS NULL
        AND t.retired_at = $2`,
    [participantIds, erasure.erasedAt],
  );
  await wakeCommissions(tx, context, participantIds);
  await forgetPreparations(tx, erasure);
}

/** Holds that ended meanwhile were left pending, as an erased partner's are: they are due again. */
async function wakeCommissions(
  tx: Tx,
  { now }: Pick<Cause, 'now'>,
  participantIds: readonly string[],
): Promise<void> {
  await execute(
    tx,
    enqueueSql({
      topic: 'commission',
      ref: 'c.id',
      workspaceId: 'c.workspace_id',
      availableAt: '$2',
      from: `commissions AS c JOIN participants AS p ON p.id = c.participant_id
        WHERE p.id = ANY ($1) AND p.erased_at IS NULL
          AND c.status = 'pending' AND c.hold_elapsed AND NOT c.needs_review`,
    }),
    [participantIds, now],
  );
}

async function restoreAccount(tx: Tx, { subjectId: accountId, erasedAt }: Erasure): Promise<void> {
  const where = { id: accountId, erasedAt };
  await update(tx, PartnerAccount, { set: { erasedAt: null }, where });
  const own = { side: 'partner', accountId } as const;
  await update(tx, Session, { set: { revokedAt: null }, where: { ...own, revokedAt: erasedAt } });
  await update(tx, EmailToken, { set: { spentAt: null }, where: { ...own, spentAt: erasedAt } });
}

async function forgetPreparations(tx: Tx, { id, mailId }: Erasure): Promise<void> {
  await execute(tx, 'DELETE FROM sealed_recipients WHERE mail_id = $1', [mailId]);
  await execute(tx, 'DELETE FROM mails WHERE id = $1', [mailId]);
  await execute(tx, 'DELETE FROM erasure_identities WHERE erasure_id = $1', [id]);
}

async function participantIdsOf(tx: Tx, erasure: Erasure): Promise<string[]> {
  return (await participationsOf(tx, erasure)).map(({ id }) => id);
}
