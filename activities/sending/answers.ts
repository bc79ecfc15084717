import { execute, type Tx } from '../../entities/database/sql';
import { dayMs } from '../../entities/rules/values/duration';
import { waitBefore } from '../../entities/rules/payouts/batch-steps';
import type { BatchAnswer, ItemAttention } from '../../entities/rules/payouts/batch-status';
import type { PayoutBatch } from '../../entities/tables/payouts/payout-batch.entity';
import type {
  AskAnswer,
  KeptAnswer,
  ListedBatch,
  SendAnswer,
} from '../../runtime/payout-providers/provider';
import type { CommandContext } from '../journal/cause';
import { record } from '../journal/record';
import { notify } from '../notifications/notify';
import { endWhereDone } from '../payouts/attention';
import { wasRestoredSince, type BatchItem } from './batches';
import { compareBatch } from './compare';
import type { SendingDeps } from './connection';
import { attentionNotices, raise, raiseForBatch, raiseRivals } from './attention';
import { isStill, type Lease } from './lease';
import { moveItems } from './move-items';
import { reasonOf } from './reason';
import { applyWords } from './words';
import type { TryAnswer } from './ask-provider';

export interface OnBatch {
  tx: Tx;
  batch: PayoutBatch;
  items: readonly BatchItem[];
}

interface Leased extends OnBatch {
  lease: Lease;
}

/** Writes what a try came to, if nobody else asks by now. */
export async function applyTry(
  deps: Pick<SendingDeps, 'vault' | 'config'>,
  context: CommandContext,
  on: Leased & { answer: TryAnswer; wasInDoubt: boolean },
): Promise<void> {
  const { tx, batch, items, answer } = on;
  const { sent, listed } = answer;
  // What was taken is taken, whoever asks by now: its id is never thrown away.
  const taken = takenBy(deps, { batch, items, answer });
  if (taken) {
    await noteAnswer(tx, context, { batch, answer: (listed ?? sent).answer, access: 'good' });
    return applyTaken(deps, context, { ...on, taken });
  }
  if ((await isStill(tx, on.lease)) && batch.status === 'trying') {
    return applyUntaken(deps, context, on);
  }
  if (sent.kind === 'known') await noteLateId(deps, context, { ...on, id: sent.providerBatchId });
}

/** An id that is named late, of which nothing is listed yet, is asked about: somebody may have let the batch go. */
async function noteLateId(
  { config }: Pick<SendingDeps, 'config'>,
  context: CommandContext,
  on: OnBatch & { id: string },
): Promise<void> {
  const { tx, batch, id } = on;
  if (isAnotherId(batch, id)) return raiseAndTell(context, on, 'twice');
  if (batch.providerBatchId !== null) return;
  const nextAt = new Date(context.now.getTime() + waitBefore(config.payouts.askSchedule, 0));
  await execute(
    tx,
    `UPDATE payout_batches SET candidate_id = $2, next_at = coalesce(next_at, $3) WHERE id = $1`,
    [batch.id, id, nextAt],
  );
}

/** What a try came to that took nothing, as far as is known. */
async function applyUntaken(
  deps: Pick<SendingDeps, 'vault' | 'config'>,
  context: CommandContext,
  on: Leased & { answer: TryAnswer; wasInDoubt: boolean },
): Promise<void> {
  const { tx, batch, answer } = on;
  const { sent, listed } = answer;
  const access = accessToldBy(sent, listed);
  await noteAnswer(tx, context, { batch, answer: (listed ?? sent).answer, access });
  if (sent.kind === 'known') return applyKnown(deps, context, { ...on, sent, listed });
  if (sent.kind === 'busy' || sent.kind === 'not_sent') {
    // It leaves no doubt: what was doubtful before is as doubtful as it was.
    await execute(tx, 'UPDATE payout_batches SET is_in_doubt = $2 WHERE id = $1', [
      batch.id,
      on.wasInDoubt,
    ]);
    return;
  }
  if (sent.kind === 'refused' && !(await isDoubtful(on))) await refuse(context, on, sent);
}

interface Taken {
  providerBatchId: string;
  word: string | null;
}

/** What the provider has of a batch: it takes it now, or shows that it took it before. */
function takenBy(
  { vault }: Pick<SendingDeps, 'vault'>,
  { batch, items, answer: { sent, listed } }: Omit<OnBatch, 'tx'> & { answer: TryAnswer },
): Taken | undefined {
  if (sent.kind === 'taken') return sent;
  if (sent.kind !== 'known' || listed?.kind !== 'batch') return undefined;
  const isShown = listed.batch.providerBatchId === sent.providerBatchId;
  const isSame = isShown && compareBatch(vault, { batch, items }, listed.batch) === 'same';
  return isSame ? listed.batch : undefined;
}

/** A second payment by other tries of the same batch would be another id: somebody has to check it. */
async function applyTaken(
  deps: Pick<SendingDeps, 'config'>,
  context: CommandContext,
  on: OnBatch & { taken: Taken },
): Promise<void> {
  const { tx, batch, items, taken } = on;
  const { providerBatchId, word } = taken;
  if (batch.providerBatchId === null) {
    await takenAs(deps, context, { ...on, providerBatchId, word });
    // Somebody has let them go meanwhile, or has sent them again.
    const free = items.filter(({ status, isLastBatch }) => isLetGo(status) && isLastBatch);
    await raiseAndTell(context, { tx, batch, items: free }, 'word');
    // The provider had named another id before. Nobody asks about that one any more, and it may pay, too.
    const again = items.filter(({ isLastBatch }) => !isLastBatch);
    const besides = isAnotherId(batch, providerBatchId) ? items : again;
    return raiseAndTell(context, { tx, batch, items: besides }, 'twice');
  }
  if (batch.providerBatchId !== providerBatchId) await raiseAndTell(context, on, 'twice');
}

/** Whether the provider had named another id of this batch than this one. */
export function isAnotherId(
  { providerBatchId, candidateId }: Pick<PayoutBatch, 'providerBatchId' | 'candidateId'>,
  id: string,
): boolean {
  const named = providerBatchId ?? candidateId;
  return named !== null && named !== id;
}

function isLetGo(status: BatchItem['status']): boolean {
  return status !== 'sending' && status !== 'paid';
}

export async function raiseAndTell(
  context: CommandContext,
  { tx, batch, items }: OnBatch,
  reason: ItemAttention,
): Promise<void> {
  const itemIds = await raise(tx, context, { itemIds: items.map(({ id }) => id), reason });
  const notices = await attentionNotices(tx, { batch, itemIds, reason });
  const rivals = await raiseRivals(
    tx,
    context,
    items.map(({ id }) => id),
  );
  await notify(tx, context, [...notices, ...rivals]);
}

/** Whether an earlier try may have been taken; after a restore nobody knows. */
async function isDoubtful({ tx, batch, wasInDoubt }: OnBatch & { wasInDoubt: boolean }) {
  return wasInDoubt || wasRestoredSince(tx, batch.createdAt);
}

/** 401 and 403 say that the provider refuses us, until it takes or shows something. */
function accessToldBy(sent: SendAnswer, listed: AskAnswer | undefined): Access {
  const { httpStatus } = (listed ?? sent).answer;
  if (httpStatus === 401 || httpStatus === 403) return 'refused';
  return sent.kind === 'known' ? 'good' : 'untold';
}

/**
 * Another batch by our id is a person's. One that is not listed yet, or not whole, may be ours: its id is kept, and
 * asked about once nobody tries any more.
 */
async function applyKnown(
  deps: Pick<SendingDeps, 'vault' | 'config'>,
  context: CommandContext,
  on: OnBatch & { sent: SendAnswer & { kind: 'known' }; listed: AskAnswer | undefined },
): Promise<void> {
  const { tx, batch, items, sent, listed } = on;
  const { providerBatchId } = sent;
  const sql = 'UPDATE payout_batches SET candidate_id = $2 WHERE id = $1';
  await execute(tx, sql, [batch.id, providerBatchId]);
  const isShown = listed?.kind === 'batch' && listed.batch.providerBatchId === providerBatchId;
  const isOther = isShown && compareBatch(deps.vault, { batch, items }, listed.batch) === 'differs';
  // By a second id there are two batches, and one of them is another one than ours.
  if (!isOther && !isAnotherId(batch, providerBatchId)) return;
  const nextAt = new Date(context.now.getTime() + waitBefore(deps.config.payouts.askSchedule, 0));
  await execute(tx, 'UPDATE payout_batches SET next_at = $2, asks = 0 WHERE id = $1', [
    batch.id,
    nextAt,
  ]);
  await raiseForBatch(tx, context, { batch, items, reason: 'differs' });
}

/** The provider has it, by this id: nothing is said any more, and it is asked about from now on. */
export async function takenAs(
  { config }: Pick<SendingDeps, 'config'>,
  context: CommandContext,
  on: OnBatch & { providerBatchId: string; word: string | null },
): Promise<void> {
  const { tx, batch, providerBatchId, word } = on;
  const { now } = context;
  const nextAt = new Date(now.getTime() + waitBefore(config.payouts.askSchedule, 0));
  await execute(
    tx,
    `UPDATE payout_batches SET status = 'taken', attention_reason = NULL, provider_batch_id = $2,
       candidate_id = NULL, provider_status = $3, request = NULL, taken_at = $4, asks = 0,
       next_at = $5, missing_since = NULL WHERE id = $1`,
    [batch.id, providerBatchId, word, now, nextAt],
  );
  const { payoutId, senderBatchId, currency, itemCount: items, amountCents } = batch;
  await record(tx, context, {
    audit: {
      action: 'payout.batch_taken',
      target: { type: 'payout_batch', id: batch.id },
      details: { payoutId, senderBatchId, providerBatchId, currency, items, amountCents },
    },
  });
}

/** Nothing was taken: items whose address was why have failed, the others are ready again. */
async function refuse(
  context: CommandContext,
  { tx, batch, items }: OnBatch,
  { receivers, answer }: SendAnswer & { kind: 'refused' },
): Promise<void> {
  const places = new Set(receivers);
  const named = items.filter(({ place }) => places.has(place));
  // A place that no item has is another request than ours: nobody knows what it says.
  if (named.length < places.size) return;
  const reason = reasonOf(answer);
  await endRefused(tx, batch.id, context.now);
  await moveItems(tx, context, {
    batch,
    moves: items
      .filter(({ status, isLastBatch }) => status === 'sending' && isLastBatch)
      .map((item) => ({
        itemId: item.id,
        to: places.has(item.place) ? ('failed' as const) : ('ready' as const),
        reason,
      })),
  });
}

export async function endRefused(tx: Tx, batchId: string, now: Date): Promise<void> {
  await execute(
    tx,
    `UPDATE payout_batches SET status = 'refused', request = NULL, next_at = NULL, ended_at = $2
      WHERE id = $1`,
    [batchId, now],
  );
}

/** Writes what a question came to, if nobody else asks by now. */
export async function applyAsk(
  deps: Pick<SendingDeps, 'vault' | 'config'>,
  context: CommandContext,
  on: Leased & { answer: AskAnswer },
): Promise<void> {
  const { tx, batch, items, answer } = on;
  if (!(await isStill(tx, on.lease))) return;
  const told = { batch: 'good', access: 'refused', missing: 'untold', unknown: 'untold' } as const;
  await noteAnswer(tx, context, { batch, answer: answer.answer, access: told[answer.kind] });
  if (answer.kind === 'missing') return noteMissing(context, on);
  if (answer.kind !== 'batch') return;
  if (batch.providerBatchId === null) {
    const compared = compareBatch(deps.vault, { batch, items }, answer.batch);
    if (compared !== 'same') return;
    const { providerBatchId, word } = answer.batch;
    await takenAs(deps, context, { tx, batch, items, providerBatchId, word });
  }
  // Another batch answers where the id was told wrongly: its words are of other money.
  const isAnother = answer.batch.senderBatchId !== batch.senderBatchId;
  if (isAnother || isShort(answer.batch, items)) return noteMissing(context, on);
  await execute(
    tx,
    'UPDATE payout_batches SET missing_since = NULL, provider_status = $2 WHERE id = $1',
    [batch.id, answer.batch.word],
  );
  await applyWords(deps, context, { tx, batch, items, listed: answer.batch });
  await endWhereDone(tx, batch.id, context.now);
}

/** Items may be listed late: what is not there yet says nothing, save of a batch that was refused as a whole. */
function isShort({ word, totalItems, items: listed }: ListedBatch, items: readonly BatchItem[]) {
  const seen = new Set(listed.map(({ reference }) => reference));
  if (items.every(({ reference }) => seen.has(reference))) return false;
  const isRefused = word === 'DENIED' || word === 'CANCELED';
  return !(isRefused && totalItems !== null && seen.size >= totalItems);
}

/** Notes that the provider does not know the batch; after a day it has vanished. */
async function noteMissing(context: CommandContext, { tx, batch, items }: OnBatch): Promise<void> {
  const { now } = context;
  const since = batch.missingSince ?? now;
  await execute(tx, 'UPDATE payout_batches SET missing_since = $2 WHERE id = $1', [
    batch.id,
    since,
  ]);
  if (now.getTime() - since.getTime() < dayMs) return;
  await raiseForBatch(tx, context, { batch, items, reason: 'vanished' });
}

type Access = 'good' | 'refused' | 'untold';

interface Noted {
  batch: PayoutBatch;
  answer: KeptAnswer;
  access: Access;
}

/** Keeps what was answered, and whether the provider lets us in. */
export async function noteAnswer(
  tx: Tx,
  { now }: CommandContext,
  { batch, answer, access }: Noted,
): Promise<void> {
  const kept: BatchAnswer = { at: now.toISOString(), ...answer };
  await execute(tx, 'UPDATE payout_batches SET last_answer = $2 WHERE id = $1', [
    batch.id,
    JSON.stringify(kept),
  ]);
  if (access === 'untold') return;
  const error =
    access === 'good' ? null : `The provider refuses us: ${reasonOf(answer) ?? 'without a word'}.`;
  await execute(
    tx,
    `UPDATE payout_connections SET last_error = $5, updated_at = $6
      WHERE workspace_id = $1 AND mode = $2 AND provider = $3 AND client_id = $4
        AND last_error IS DISTINCT FROM $5`,
    [batch.workspaceId, batch.mode, batch.provider, batch.clientId, error, now],
  );
}
