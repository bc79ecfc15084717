import { execute, transaction, type Db, type Tx } from '../../entities/database/sql';
import { AppError } from '../../entities/errors';
import { isBatchAttention } from '../../entities/rules/payouts/batch-status';
import { dayMs } from '../../entities/rules/values/duration';
import type { PayoutBatch } from '../../entities/tables/payouts/payout-batch.entity';
import type { Scope } from '../../entities/rules/values/mode';
import type { ListedBatch, ListedItem } from '../../runtime/payout-providers/provider';
import type { Confirmed } from '../accounts/two-factor/changes';
import { spendCode } from '../accounts/two-factor/codes';
import type { CommandContext } from '../journal/cause';
import { record } from '../journal/record';
import { notify } from '../notifications/notify';
import { endWhereDone } from '../payouts/attention';
import { hasPayout } from '../payouts/records';
import { isAnotherId, raiseAndTell, takenAs } from './answers';
import { askBatch, cancelItem } from './ask-provider';
import { attentionNotices, raise } from './attention';
import { findBatch, onBatch, wasRestoredSince, type BatchItem } from './batches';
import { compareBatch } from './compare';
import type { SendingDeps } from './connection';
import { endLease, isLeased, isStill, LeaseLost, takeLease, type Lease } from './lease';
import { moveItems } from './move-items';
import { applyWords } from './words';

export interface OfPayout {
  payoutId: string;
  batchId: string;
}

/** A batch of a payout; PAYOUT_NOT_FOUND, NOT_FOUND. */
export async function batchOf(db: Db, scope: Scope, { payoutId, batchId }: OfPayout) {
  if (!(await hasPayout(db, scope, payoutId))) throw new AppError('PAYOUT_NOT_FOUND');
  const batch = await findBatch(db, batchId);
  if (batch?.payoutId !== payoutId) throw new AppError('NOT_FOUND');
  return batch;
}

/** A batch that a person has to say something of; PAYOUT_BATCH_INVALID_STATE for another. */
export function assertResolvable({ status, attentionReason }: PayoutBatch): void {
  if (status === 'attention' && isBatchAttention(attentionReason)) return;
  throw new AppError('PAYOUT_BATCH_INVALID_STATE');
}

/** What was asked and is this batch, and when: a later question knows more. */
export interface Verified {
  listed: ListedBatch;
  askedAt: Date;
}

/**
 * Asks the provider whether what it has by an id is this batch: PAYOUT_BATCH_DIFFERS, SERVICE_UNAVAILABLE when it
 * does not answer or somebody else asks just now. Talks to the network.
 */
export async function verifyBatch(
  deps: SendingDeps,
  batch: PayoutBatch,
  providerBatchId: string,
): Promise<Verified> {
  const askedAt = deps.clock.now();
  const answer = await underLease(deps, { batchId: batch.id, askedAt }, (lease) =>
    askBatch(deps, lease, { ...batch, askFor: providerBatchId }),
  );
  if (answer.kind === 'missing') throw new AppError('PAYOUT_BATCH_DIFFERS');
  if (answer.kind !== 'batch') throw away();
  const compared = await onBatch(deps.db, batch.id, (_tx, locked, items) =>
    Promise.resolve(compareBatch(deps.vault, { batch: locked, items }, answer.batch)),
  );
  if (compared !== 'same') throw new AppError('PAYOUT_BATCH_DIFFERS');
  return { listed: answer.batch, askedAt };
}

function away(): AppError {
  return new AppError('SERVICE_UNAVAILABLE', {
    message: 'The provider does not answer just now. Try again shortly.',
    headers: { 'Retry-After': '30' },
  });
}

/** Asks under the lease, whoever has it now is waited for a moment. */
async function underLease<T>(
  deps: SendingDeps,
  { batchId, askedAt }: { batchId: string; askedAt: Date },
  work: (lease: Lease) => Promise<T>,
): Promise<T> {
  const taken = await takeLease(deps, batchId, (_tx, batch) =>
    Promise.resolve({ ...batch, askedAt }),
  );
  if (!taken) throw away();
  try {
    return await work(taken.lease);
  } catch (error) {
    throw error instanceof LeaseLost ? away() : error;
  } finally {
    await endLease(deps.db.manager, taken.lease).catch(() => undefined);
  }
}

export interface Resolution extends OfPayout {
  /** Null: nothing was sent. */
  taken: Verified | null;
  confirmed: Confirmed;
}

/**
 * What a person says of a batch of which nobody knows: that the provider has it, or that nothing was sent, which
 * makes its items ready. NOT_FOUND, PAYOUT_BATCH_INVALID_STATE, TWO_FACTOR_INVALID.
 */
export async function resolveBatch(
  deps: Pick<SendingDeps, 'config' | 'vault'> & { db: Db },
  context: CommandContext,
  { taken, confirmed, ...of }: Resolution,
): Promise<void> {
  await batchOf(deps.db, context.scope, of);
  const done = await onBatch(deps.db, of.batchId, async (tx, batch, items) => {
    assertResolvable(batch);
    if (isLeased(batch, context.now) || isAskedSince(batch, taken)) throw away();
    if (!taken && isListedAgain(batch, context.now))
      throw new AppError('PAYOUT_BATCH_INVALID_STATE');
    await spendCode(tx, context, confirmed);
    const target = { type: 'payout_batch', id: batch.id };
    const action = taken ? 'payout.batch_found' : 'payout.batch_released';
    await record(tx, context, { audit: { action, target } });
    if (taken) await foundAs(deps, context, { tx, batch, items, taken: taken.listed });
    else await nothingSent(context, { tx, batch, items });
    return true;
  });
  if (!done) throw new AppError('NOT_FOUND');
}

/** Answers count in the order of their questions. */
function isAskedSince({ askedAt }: PayoutBatch, taken: Verified | null): boolean {
  return taken !== null && askedAt?.getTime() !== taken.askedAt.getTime();
}

/**
 * It had vanished, and the provider has shown it within the last day: nobody can say any more that nothing was sent.
 */
function isListedAgain({ attentionReason, missingSince }: PayoutBatch, now: Date): boolean {
  const isMissing = missingSince !== null && now.getTime() - missingSince.getTime() >= dayMs;
  return attentionReason === 'vanished' && !isMissing;
}

interface Resolved {
  tx: Tx;
  batch: PayoutBatch;
  items: readonly BatchItem[];
}

async function foundAs(
  deps: Pick<SendingDeps, 'config' | 'vault'>,
  context: CommandContext,
  { taken, ...on }: Resolved & { taken: ListedBatch },
): Promise<void> {
  const { tx, batch } = on;
  const { providerBatchId, word } = taken;
  await endAttentions(tx, on);
  await takenAs(deps, context, { ...on, providerBatchId, word });
  await applyWords(deps, context, { ...on, listed: taken });
  // Nobody asks for the former batch any more, and it may have paid, too.
  if (isAnotherId(batch, providerBatchId)) await raiseAndTell(context, on, 'twice');
  await endWhereDone(tx, batch.id, context.now);
  await wake(tx, context, batch.id);
}

async function nothingSent(context: CommandContext, on: Resolved): Promise<void> {
  const { tx, batch, items } = on;
  await endAttentions(tx, on);
  const moves = items
    .filter(({ status, isLastBatch }) => status === 'sending' && isLastBatch)
    .map(({ id }) => ({ itemId: id, to: 'ready' as const }));
  await moveItems(tx, context, { batch, moves });
  await endWhereDone(tx, batch.id, context.now);
  if (!(await wasRestoredSince(tx, batch.createdAt))) return;
  // They may have been sent by a batch that the database forgot.
  const reason = 'restored';
  const itemIds = await raise(tx, context, { itemIds: moves.map((move) => move.itemId), reason });
  await notify(tx, context, await attentionNotices(tx, { batch, itemIds, reason }));
}

async function endAttentions(tx: Tx, { batch, items }: Resolved): Promise<void> {
  await execute(
    tx,
    `UPDATE payout_items SET attention_reason = NULL, attention_at = NULL
      WHERE id = ANY($1) AND batch_id = $2
        AND attention_reason IN ('unanswered', 'differs', 'vanished')`,
    [items.map(({ id }) => id), batch.id],
  );
}

/** The workflow looks at once. */
function wake(tx: Tx, context: CommandContext, batchId: string): Promise<void> {
  const { mode } = context.scope;
  return record(tx, context, {
    work: [{ topic: 'payout_batch', ref: batchId, payload: { mode } }],
  });
}

const askAgainMs = 30_000;

/**
 * Has the provider asked now. NOT_FOUND, PAYOUT_BATCH_INVALID_STATE when there is nothing to ask by,
 * RATE_LIMIT_EXCEEDED within half a minute of the last time.
 */
export async function askNow(db: Db, context: CommandContext, of: OfPayout): Promise<void> {
  await batchOf(db, context.scope, of);
  const { now } = context;
  await transaction(db, async (tx) => {
    const [batch] = [await findBatch(tx, of.batchId)];
    if (!batch) throw new AppError('NOT_FOUND');
    const hasId = batch.providerBatchId !== null || batch.candidateId !== null;
    if (!hasId || batch.status === 'trying') throw new AppError('PAYOUT_BATCH_INVALID_STATE');
    const wanted = await execute(
      tx,
      `UPDATE payout_batches SET ask_wanted_at = $2, next_at = $2
        WHERE id = $1 AND (ask_wanted_at IS NULL OR ask_wanted_at <= $3)`,
      [of.batchId, now, new Date(now.getTime() - askAgainMs)],
    );
    if (wanted === 0) throw tooSoon(batch, now);
    await wake(tx, context, of.batchId);
  });
}

function tooSoon({ askWantedAt }: PayoutBatch, now: Date): AppError {
  const waitMs = askAgainMs - (now.getTime() - (askWantedAt?.getTime() ?? 0));
  const seconds = Math.max(1, Math.ceil(waitMs / 1_000));
  return new AppError('RATE_LIMIT_EXCEEDED', {
    message: 'The provider is asked once in half a minute.',
    headers: { 'Retry-After': String(seconds) },
  });
}

/**
 * Asks the provider to take back what the partner has not fetched; the item's own word then decides.
 * PAYOUT_ITEM_NOT_UNCLAIMED, PAYOUT_ITEM_NOT_FOUND, SERVICE_UNAVAILABLE. Talks to the network.
 */
export async function cancelUnclaimed(
  deps: SendingDeps,
  context: CommandContext,
  item: { payoutId: string; batchId: string; reference: string; providerItemId: string },
): Promise<void> {
  const batch = await batchOf(deps.db.manager, context.scope, item);
  const askedAt = deps.clock.now();
  await underLease(deps, { batchId: batch.id, askedAt }, async (lease) => {
    const { providerItemId } = item;
    const answer = await cancelItem(deps, lease, { batch, providerItemId });
    if (answer.kind !== 'item') throw away();
    await applyItem(deps, context, { lease, item, listed: answer.item });
  });
}

interface AnsweredItem {
  lease: Lease;
  item: { reference: string; providerItemId: string };
  listed: ListedItem;
}

/** Applies the answer while the lease still holds, so that a later one is not undone by it. */
async function applyItem(
  deps: SendingDeps,
  context: CommandContext,
  { lease, item, listed: one }: AnsweredItem,
): Promise<void> {
  await onBatch(deps.db, lease.batchId, async (tx, locked, items) => {
    if (!(await isStill(tx, lease))) throw away();
    const own = items.filter(({ reference }) => reference === item.reference);
    // Another payment than the one that was asked for says nothing of this one.
    if (one.reference !== item.reference || one.providerItemId !== item.providerItemId) return;
    const listed = {
      providerBatchId: locked.providerBatchId ?? '',
      senderBatchId: null,
      word: null,
      currency: null,
      amount: null,
      totalItems: 1,
      items: [one],
    };
    await applyWords(deps, context, { tx, batch: locked, items: own, listed });
    await endWhereDone(tx, locked.id, context.now);
  });
}
