import { findById } from '../../entities/database/find';
import { Erasure } from '../../entities/tables/erasure/erasure.entity';
import { ErasureIdentity } from '../../entities/tables/erasure/erasure-identity.entity';
import { Participant } from '../../entities/tables/partners/participant.entity';
import { selectList } from '../../entities/database/columns';
import { insertAll } from '../../entities/database/insert-all';
import { AppError } from '../../entities/errors';
import type { Cause } from '../journal/cause';
import { execute, query, queryOne, transaction, type Tx } from '../../entities/database/sql';
import type { Deps } from '../../runtime/process/deps';
import { adoptTest } from '../accounts/addresses';
import { keepErasedAddresses } from '../partners/erased-address';
import { readIdentity, type ErasureKey } from './subject';

type LockDeps = Pick<Deps, 'db' | 'vault'>;

export interface LockSubject extends ErasureKey {
  /** A restored backup: what was erased once is erased again, whatever it says of payouts. */
  isReplay?: boolean;
}

/**
 * Locks the subject; from its commit on the subject counts as erased everywhere. Accounts and
 * participants are locked in the order in which all others lock them, so whoever adds a
 * participation or takes commissions into a payout comes wholly before it or finds it erased.
 * PARTNER_NOT_FOUND, PARTICIPANT_NOT_FOUND, ALREADY_ERASED, ERASURE_BLOCKED_PAYOUT.
 */
export async function lockSubject(
  { db, vault }: LockDeps,
  cause: Cause,
  command: LockSubject,
): Promise<{ erasedAt: Date }> {
  return transaction(db, async (tx) => {
    const known = await findById(tx, Erasure, command.erasureId);
    if (known) return { erasedAt: known.erasedAt };

    if (command.kind === 'account') {
      await adoptTest(tx, cause, { accountId: command.subjectId, ending: true });
    }
    const participants = await lockRows(tx, command);
    const participantIds = participants.map(({ id }) => id);
    if (!command.isReplay) await refuseWhilePaid(tx, participantIds);
    const identity = await readIdentity(tx, command);
    await keepErasedAddresses({ tx, vault }, participants);
    await markErased(tx, cause, { ...command, participantIds });
    const { erasureId, kind, subjectId } = command;
    const by = { requestedByType: cause.actor.type, requestedById: cause.actor.id };
    const erasure = { id: erasureId, kind, subjectId, status: 'locked', ...by } as const;
    await insertAll(tx, { into: Erasure, rows: [{ ...erasure, erasedAt: cause.now }] });
    const sealed = vault.encrypt(JSON.stringify(identity), [
      'erasure_identities.sealed',
      erasureId,
    ]);
    await insertAll(tx, { into: ErasureIdentity, rows: [{ erasureId, sealed }] });
    return { erasedAt: cause.now };
  });
}

type LockedParticipant = Pick<Participant, 'id' | 'programId' | 'partnerEmail'>;

/** Locks the account first, then its participations in the order of their ids. */
async function lockRows(tx: Tx, command: LockSubject): Promise<LockedParticipant[]> {
  const { kind, subjectId, isReplay = false } = command;
  const table = kind === 'account' ? 'partner_accounts' : 'participants';
  const subject = await queryOne<{ erasedAt: Date | null }>(
    tx,
    `SELECT erased_at AS "erasedAt" FROM ${table} WHERE id = $1 FOR UPDATE`,
    [subjectId],
  );
  if (!subject) {
    throw new AppError(kind === 'account' ? 'PARTNER_NOT_FOUND' : 'PARTICIPANT_NOT_FOUND');
  }
  if (subject.erasedAt && !isReplay) throw new AppError('ALREADY_ERASED');
  const own = kind === 'account' ? 'partner_id' : 'id';
  return query<LockedParticipant>(
    tx,
    `SELECT ${selectList(Participant, 'p', ['id', 'programId', 'partnerEmail'])}
       FROM participants AS p WHERE p.${own} = $1 ORDER BY p.id FOR UPDATE`,
    [subjectId],
  );
}

async function refuseWhilePaid(tx: Tx, participantIds: string[]): Promise<void> {
  const blocking = await queryOne(
    tx,
    `SELECT 1 FROM payout_items AS i
      WHERE i.participant_id = ANY($1) AND (i.status IN ('ready', 'sending') OR EXISTS (
        SELECT 1 FROM payout_batch_items AS b
         WHERE b.item_id = i.id AND b.outcome = 'sending')) LIMIT 1`,
    [participantIds],
  );
  if (blocking) throw new AppError('ERASURE_BLOCKED_PAYOUT');
}

async function markErased(
  tx: Tx,
  { now }: Cause,
  { kind, subjectId, participantIds }: LockSubject & { participantIds: string[] },
): Promise<void> {
  if (kind === 'account') {
    await execute(
      tx,
      'UPDATE partner_accounts SET erased_at = coalesce(erased_at, $2), updated_at = $2 WHERE id = $1',
      [subjectId, now],
    );
  }
  await execute(
    tx,
    `UPDATE participants SET erased_at = $2, updated_at = $2
      WHERE id = ANY($1) AND erased_at IS NULL`,
    [participantIds, now],
  );
}
