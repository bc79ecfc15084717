import { execute, query, transaction, type Tx } from '../../entities/database/sql';
import type { OpenBalanceObject } from '../../entities/rules/webhooks/objects';
import type { Erasure } from '../../entities/tables/erasure/erasure.entity';
import type { Cause } from '../journal/cause';
import { record } from '../journal/record';
import { switchOffCodesOf } from '../partners/biller-codes';
import { participantEvent } from '../partners/participants';
import { cleanPivot, paramsOf, type CleanDeps, type Part } from './clean';
import { releaseConfirmation } from './confirmation';
import { isInTime } from './deadline';
import { openSumsOf } from './open-sums';
import { insertReceipt } from './receipts';
import { clearUnclaimedAccount } from './unclaimed';
import { lockErasure, moveErasure, participationsOf, type Participation } from './subject';

/** Ends the transaction, so that nothing of it stays. */
class DeadlinePassed extends Error {}

/**
 * The point of no return, one transaction: the account and its participations are overwritten, the
 * merchants' events and the receipts written, the confirmation leaves. A repeat does nothing. False
 * when it is not passed, and `until` is, by the database's clock: it is asked first, before anything
 * is waited for, and last, when nothing but the commit is left.
 */
export async function anonymiseSubject(
  deps: CleanDeps,
  { until = null, ...context }: Pick<Cause, 'now'> & { until?: string | null },
  erasureId: string,
): Promise<boolean> {
  try {
    return await transaction(deps.db, async (tx) => {
      const isLate = until !== null && !(await isInTime(tx, until));
      const erasure = await lockErasure(tx, erasureId);
      if (erasure.status !== 'locked') return erasure.status !== 'cancelled';
      if (isLate) return false;
      await passPivot({ tx, vault: deps.vault }, context, erasure);
      if (until !== null && !(await isInTime(tx, until))) throw new DeadlinePassed();
      return true;
    });
  } catch (error) {
    if (error instanceof DeadlinePassed) return false;
    throw error;
  }
}

async function passPivot(
  { tx, vault }: { tx: Tx; vault: CleanDeps['vault'] },
  context: Pick<Cause, 'now'>,
  erasure: Erasure,
): Promise<void> {
  const participations = await participationsOf(tx, erasure);
  const parts: Part[] = participations.map((participation) => ({ erasure, participation }));
  if (erasure.kind === 'account') {
    await insertReceipt(tx, receiptOf(erasure, null));
    parts.unshift({ erasure, participation: null });
  }
  const announced = await withoutOwnErasure(tx, erasure, participations);
  for (const participation of announced) {
    const openBalances = await openSumsOf(tx, participation.id);
    await insertReceipt(tx, { ...receiptOf(erasure, participation), openBalances });
  }
  const [only] = erasure.kind === 'participant' ? participations : [];
  if (only) await clearUnclaimedAccount(tx, context, only.partnerId);
  await switchOffCodesOf(
    tx,
    context,
    participations.map(({ id }) => id),
  );
  for (const part of parts) await cleanPivot(tx, part, await paramsOf({ db: tx, vault }, part));
  for (const participation of announced) {
    await announce(tx, context, { erasure, participation });
  }
  await releaseConfirmation(tx, context, erasure);
  await audit(tx, context, { erasure, workspaceId: only?.workspaceId ?? null });
  await moveErasure(tx, context, { erasure, trigger: 'anonymise' });
}

/** Participations that an erasure of their own covers were announced by it, or will be. */
async function withoutOwnErasure(
  tx: Tx,
  { kind }: Erasure,
  participations: Participation[],
): Promise<Participation[]> {
  if (kind === 'participant') return participations;
  const own = await query<{ id: string }>(
    tx,
    `SELECT subject_id AS id FROM erasures
      WHERE kind = 'participant' AND subject_id = ANY($1) AND status <> 'cancelled'`,
    [participations.map(({ id }) => id)],
  );
  const covered = new Set(own.map(({ id }) => id));
  return participations.filter(({ id }) => !covered.has(id));
}

function receiptOf(
  { id: erasureId, kind, erasedAt }: Erasure,
  participation: Participation | null,
): Parameters<typeof insertReceipt>[1] {
  const place = participation && { ...participation, participantId: participation.id };
  return { erasureId, kind, place, erasedAt };
}

async function announce(
  tx: Tx,
  { now }: Pick<Cause, 'now'>,
  { erasure, participation }: { erasure: Erasure; participation: Participation },
): Promise<void> {
  const { id: participantId, workspaceId, mode } = participation;
  const type = 'participant.erased';
  const audit = { action: type, target: { type: 'participant', id: participantId } };
  const event = await participantEvent(tx, { participantId, type, cause: 'erase' });
  const sums = await openSumsOf(tx, participantId);
  const open = sums.map(({ currency, pendingCents, approvedCents }): OpenBalanceObject => ({
    currency,
    pending_cents: pendingCents,
    approved_cents: approvedCents,
  }));
  await record(
    tx,
    { actor: actorOf(erasure), now, scope: { workspaceId, mode } },
    {
      events: [{ ...event, object: { ...event.object, open_balances: open } }],
      // The erasure of one participation has its line from `audit`.
      ...(erasure.kind === 'account' ? { audit } : {}),
    },
  );
}

async function audit(
  tx: Tx,
  { now }: Pick<Cause, 'now'>,
  { erasure, workspaceId }: { erasure: Erasure; workspaceId: string | null },
): Promise<void> {
  const { kind, subjectId } = erasure;
  const target = { type: kind === 'account' ? 'partner_account' : 'participant', id: subjectId };
  await record(
    tx,
    { actor: actorOf(erasure), now },
    { audit: { workspaceId, action: `${kind}.erased`, target } },
  );
}

function actorOf({ requestedByType, requestedById }: Erasure) {
  return { type: requestedByType, id: requestedById };
}

/** Every copy is clean: the receipts are final, and what the copies were looked for by goes. */
export async function completeErasure(
  { db }: Pick<CleanDeps, 'db'>,
  context: Pick<Cause, 'now'>,
  erasureId: string,
): Promise<void> {
  await transaction(db, async (tx) => {
    const erasure = await lockErasure(tx, erasureId);
    if (erasure.status !== 'anonymised') return;
    await execute(tx, 'DELETE FROM erasure_identities WHERE erasure_id = $1', [erasureId]);
    await execute(tx, 'UPDATE erasure_receipts SET completed_at = $2 WHERE erasure_id = $1', [
      erasureId,
      context.now,
    ]);
    await moveErasure(tx, context, { erasure, trigger: 'complete' });
  });
}
