import { execute, query, type Tx } from '../../entities/database/sql';
import { newId } from '../../entities/ids';
import type { ItemAttention } from '../../entities/rules/payouts/batch-status';
import { judgeWord, type JudgedWord, type WordOf } from '../../entities/rules/payouts/judge-word';
import { dayMs } from '../../entities/rules/values/duration';
import type { PayoutBatch } from '../../entities/tables/payouts/payout-batch.entity';
import type { ListedBatch, ListedItem, Meaning } from '../../runtime/payout-providers/provider';
import { providerNamed } from '../../runtime/payout-providers/providers';
import type { CommandContext } from '../journal/cause';
import type { Notice } from '../notifications/notice';
import { notify } from '../notifications/notify';
import { methodOf } from '../payouts/payees';
import { attentionNotices, raise, raiseRivals } from './attention';
import { reasonOf } from './reason';
import { wasRestoredSince, type BatchItem } from './batches';
import { isSameItem } from './compare';
import type { SendingDeps } from './connection';
import { moveItems, type ItemMove } from './move-items';

interface Listing {
  tx: Tx;
  batch: PayoutBatch;
  items: readonly BatchItem[];
  listed: ListedBatch;
}

interface Told extends JudgedWord {
  item: BatchItem;
  listed: ListedItem | undefined;
  meaning: Meaning;
}

/** Writes what a list says of each item: its word, what it moves, and what a person has to check. */
export async function applyWords(
  { vault }: Pick<SendingDeps, 'vault'>,
  context: CommandContext,
  { tx, batch, items, listed }: Listing,
): Promise<void> {
  const told = judge(vault, { batch, items, listed });
  await writeWords(tx, batch, told);
  const [apart, along] = [told.filter(isApart), told.filter((one) => !isApart(one))];
  await moveItems(tx, context, { batch, moves: along.flatMap(moveOf) });
  await moveItems(tx, context, { batch, moves: apart.flatMap(moveOf), follows: false });
  await endWords(tx, told);
  const isForgetful = await wasRestoredSince(tx, batch.createdAt);
  const looked = isForgetful ? told.map(afterRestore) : told;
  const notices = await raiseAll(tx, context, { batch, told: looked });
  const rivals = await raiseRivals(tx, context, looked.filter(isNewlyOut).map(idOf));
  const unclaimed = await noteUnclaimed(tx, vault, { batch, told, now: context.now });
  await notify(tx, context, [...notices, ...rivals, ...unclaimed]);
}

/** Its money is out, or may be. */
function isNewlyOut({ to, attention }: Told): boolean {
  return to === 'paid' || attention !== undefined;
}

const idOf = ({ item }: Told): string => item.id;

function judge(
  vault: SendingDeps['vault'],
  { batch, items, listed: { word: batchWord, items: listed } }: Omit<Listing, 'tx'>,
): Told[] {
  const provider = providerNamed(batch.provider);
  const byReference = new Map<string, ListedItem[]>();
  for (const one of listed) {
    const key = one.reference ?? '';
    byReference.set(key, [...(byReference.get(key) ?? []), one]);
  }
  return items.map((item) =>
    judgeItem(item, byReference.get(item.reference) ?? [], {
      meaningOf: (words) => provider.meaningOf({ ...words, batch: batchWord }),
      isOurs: (one) => isSameItem(vault, item, one),
    }),
  );
}

interface Judging {
  meaningOf: Meant;
  isOurs(listed: ListedItem): boolean;
}

type Meant = (words: { item: string | null; error: string | null }) => Meaning;

/** Meanings by how much money may be out: the first of them counts where a reference has several payments. */
const byMoneyOut: readonly Meaning['kind'][] = ['paid', 'unclaimed', 'open', 'attention'];

/** One item, by all that is listed under its reference. */
function judgeItem(
  item: BatchItem,
  own: readonly ListedItem[],
  { meaningOf, isOurs }: Judging,
): Told {
  const meant = (one: ListedItem | undefined): Meaning =>
    meaningOf({ item: one?.word ?? null, error: one?.errorName ?? null });
  const paid = own.filter((one) => meant(one).kind === 'paid');
  const one =
    byMoneyOut
      .map((kind) => own.find((listed) => meant(listed).kind === kind))
      .find((found) => found !== undefined) ?? own[0];
  const word = one?.word ?? null;
  const meaning = meant(one);
  const about = { item, listed: one, meaning };
  // A payment of an earlier batch pays twice, whatever it pays to whom.
  if (one && item.isLastBatch && !isOurs(one)) return { ...about, ...another(item) };
  const wasPaid = meaningOf({ item: item.before, error: null }).kind === 'paid';
  const isNamed = item.transactionId !== null;
  const isKnownPayment = isPaymentOf(item, one);
  const payment = paymentOf(item, wasPaid);
  const judged = judgeWord({ ...item, word, meaning, wasPaid, isNamed, isKnownPayment, payment });
  // One reference paid by two payments of one batch.
  const isTwice = paid.length > 1 && !item.checked.includes('twice ');
  return { ...about, ...judged, ...(isTwice && { attention: 'twice' as const }) };
}

/** Whether the item is known to be paid by the listed transaction. */
function isPaymentOf({ transactionId }: BatchItem, listed: ListedItem | undefined): boolean {
  return transactionId !== null && listed?.transactionId === transactionId;
}

/**
 * Whether the item was paid by this batch: by its transaction. An item without a transaction counts as paid by it;
 * of an erased partner the batch's transaction is not kept, and its last word decides.
 */
function paymentOf(
  { transactionId, ownTransactionId, isErased }: BatchItem,
  wasPaid: boolean,
): WordOf['payment'] {
  if (transactionId === null) return 'own';
  if (ownTransactionId === null) return wasPaid && isErased ? 'own' : 'untold';
  return ownTransactionId === transactionId ? 'own' : 'another';
}

/** Another sum than ours, or another payee. */
function another({ checked }: BatchItem): JudgedWord {
  return checked.includes('differs ') ? {} : { attention: 'differs' };
}

/** What is ready again may have been sent by another batch that the database forgot. */
function afterRestore(told: Told): Told {
  return told.to === 'ready' ? { ...told, attention: 'restored' } : told;
}

/** The item becomes something else than this batch's row, which is written by itself. */
function isApart({ outcome }: Told): boolean {
  return outcome !== undefined;
}

function moveOf({ item, to, listed, meaning }: Told): ItemMove[] {
  if (to === undefined) return [];
  // An earlier batch has paid it, and its transaction is noted with that batch.
  if (to === 'paid' && meaning.kind !== 'paid') return [{ itemId: item.id, to, reason: null }];
  if (meaning.kind !== 'paid') return [{ itemId: item.id, to, reason: whyNot(listed) }];
  // A return has a transaction of its own: that of an item is the one that paid it.
  return [{ itemId: item.id, to, reason: null, transactionId: listed?.transactionId ?? null }];
}

function whyNot(listed: ListedItem | undefined): string | null {
  const name = listed?.errorName ?? listed?.word ?? null;
  return reasonOf({ name, message: listed?.errorMessage ?? null });
}

/** Ends the attention `word` of items that the provider has now refused or given back: they are not on their way. */
async function endWords(tx: Tx, told: readonly Told[]): Promise<void> {
  const over = told.filter(
    ({ item, meaning }) =>
      item.isLastBatch && (meaning.kind === 'failed' || meaning.kind === 'released'),
  );
  await execute(
    tx,
    `UPDATE payout_items SET attention_reason = NULL, attention_at = NULL
      WHERE id = ANY($1) AND attention_reason = 'word' AND status IN ('ready', 'failed', 'cancelled', 'returned')`,
    [over.map(({ item }) => item.id)],
  );
}

/** Writes what was told; where a later batch has the item, only to this batch's own row. */
async function writeWords(tx: Tx, batch: PayoutBatch, told: readonly Told[]): Promise<void> {
  const rows = told.map(writtenOf);
  await execute(
    tx,
    `WITH told AS (
       SELECT * FROM json_to_recordset($2::json) AS r (id uuid, word text, outcome text,
         "isLast" boolean, "providerItemId" text, "transactionId" text, "ownTransactionId" text,
         "feeCents" bigint, "feeCurrency" text)),
     own AS (
       UPDATE payout_batch_items AS b
          SET word = t.word, outcome = coalesce(t.outcome, b.outcome),
              transaction_id = coalesce(t."ownTransactionId", b.transaction_id)
         FROM told AS t WHERE b.batch_id = $1 AND b.item_id = t.id)
     UPDATE payout_items AS i
        SET provider_status = coalesce(t.word, i.provider_status),
            provider_item_id = coalesce(t."providerItemId", i.provider_item_id),
            transaction_id = coalesce(i.transaction_id, t."transactionId"),
            fee_cents = coalesce(t."feeCents", i.fee_cents),
            fee_currency = coalesce(t."feeCurrency", i.fee_currency)
       FROM told AS t WHERE i.id = t.id AND t."isLast"`,
    [batch.id, JSON.stringify(rows)],
  );
}

function writtenOf(told: Told) {
  const { item, listed, outcome = null } = told;
  const { fee = null, word = null } = listed ?? {};
  return {
    ...{ id: item.id, word, isLast: item.isLastBatch, outcome },
    ...idsOf(told),
    feeCents: fee && fee.amountCents,
    feeCurrency: fee && fee.currency,
  };
}

/** What leads to a person at the provider is not kept of who was erased. */
const noIds = { providerItemId: null, transactionId: null, ownTransactionId: null };

function idsOf({ item, listed, meaning, to }: Told) {
  if (!listed || item.isErased) return noIds;
  const { providerItemId, transactionId } = listed;
  const isFirst = meaning.kind === 'paid' && (to === 'paid' || item.ownTransactionId === null);
  const ownTransactionId = isFirst ? transactionId : null;
  // The transaction of what this batch has paid; a move brings its own.
  const isPaid = meaning.kind === 'paid' && item.status === 'paid' && item.outcome === 'paid';
  return { providerItemId, transactionId: isPaid ? transactionId : null, ownTransactionId };
}

async function raiseAll(
  tx: Tx,
  context: CommandContext,
  { batch, told }: { batch: PayoutBatch; told: readonly Told[] },
): Promise<Notice[]> {
  const byReason = new Map<ItemAttention, string[]>();
  for (const { item, attention } of told) {
    if (attention) byReason.set(attention, [...(byReason.get(attention) ?? []), item.id]);
  }
  const notices: Notice[] = [];
  for (const [reason, ids] of byReason) {
    const itemIds = await raise(tx, context, { itemIds: ids, reason });
    notices.push(...(await attentionNotices(tx, { batch, itemIds, reason })));
  }
  return notices;
}

interface Unclaimed {
  batch: PayoutBatch;
  told: readonly Told[];
  now: Date;
}

interface PayeeRow {
  id: string;
  participantId: string;
  partnerId: string;
  programId: string;
  programName: string;
  currency: string;
  amountCents: number;
  methodEncrypted: string | null;
  methodAccountId: string | null;
}

/** The partner is told once that the provider holds the money, for which address and until when. */
async function noteUnclaimed(
  tx: Tx,
  vault: SendingDeps['vault'],
  { batch, told, now }: Unclaimed,
): Promise<Notice[]> {
  const { claimDays } = providerNamed(batch.provider);
  const fresh = told.filter(
    ({ item, meaning }) =>
      meaning.kind === 'unclaimed' && item.claimUntil === null && item.status === 'sending',
  );
  const notices: Notice[] = [];
  for (const { item, listed } of fresh) {
    const until = new Date((listed?.processedAt ?? now).getTime() + claimDays * dayMs);
    const [row] = await query<PayeeRow>(
      tx,
      `UPDATE payout_items AS i SET claim_until = $2
         FROM participants AS p JOIN programs AS g ON g.id = p.program_id
        WHERE i.id = $1 AND p.id = i.participant_id
       RETURNING i.id, i.participant_id AS "participantId", p.partner_id AS "partnerId",
         g.id AS "programId", g.name AS "programName", i.currency, i.amount_cents AS "amountCents",
         i.method_encrypted AS "methodEncrypted", i.method_account_id AS "methodAccountId"`,
      [item.id, until],
    );
    if (row && !item.isErased) notices.push(unclaimedNotice(vault, { batch, row, until }));
  }
  return notices;
}

function unclaimedNotice(
  vault: SendingDeps['vault'],
  { batch, row, until }: { batch: PayoutBatch; row: PayeeRow; until: Date },
): Notice {
  const { workspaceId, mode, payoutId } = batch;
  const { participantId, partnerId, programId, programName, currency, amountCents } = row;
  const method = methodOf(vault, row);
  const address = method?.type === 'paypal' ? method.email : null;
  return {
    side: 'partner',
    type: 'payout.unclaimed',
    ...{ feedId: partnerId, workspaceId, mode, participantId, causeId: newId() },
    data: { payoutId, programId, participantId },
    facts: {
      programName,
      amounts: [{ currency, amountCents }],
      until: until.toISOString(),
      ...(address !== null && { address }),
    },
  };
}
