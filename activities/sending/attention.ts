import { execute, query, queryOne, type Tx } from '../../entities/database/sql';
import { newId } from '../../entities/ids';
import {
  replacedBy,
  type BatchAttention,
  type ItemAttention,
} from '../../entities/rules/payouts/batch-status';
import type { Scope } from '../../entities/rules/values/mode';
import type { Amount } from '../../entities/rules/notifications/facts';
import type { PayoutBatch } from '../../entities/tables/payouts/payout-batch.entity';
import type { CommandContext } from '../journal/cause';
import type { Notice } from '../notifications/notice';
import { notify } from '../notifications/notify';
import type { BatchItem } from './batches';
import { cutOffTries } from './lease';

/**
 * Asks a person to check these items. Returns those that nobody was notified of before. A weightier reason stays: what
 * ends the other would let it be sent again.
 */
export async function raise(
  tx: Tx,
  { now }: Pick<CommandContext, 'now'>,
  { itemIds, reason }: { itemIds: readonly string[]; reason: ItemAttention },
): Promise<string[]> {
  if (itemIds.length === 0) return [];
  const rows = await query<{ id: string }>(
    tx,
    `UPDATE payout_items SET attention_reason = $2, attention_at = $3
      WHERE id = ANY($1) AND (attention_reason IS NULL OR attention_reason = ANY($4)) RETURNING id`,
    [itemIds, reason, now, replacedBy(reason)],
  );
  if (reason === 'twice') await cutOffTries(tx, itemIds);
  return rows.map(({ id }) => id);
}

/** An item's payout, as far as its notices need it. */
interface RivalRow extends Scope {
  id: string;
  payoutId: string;
}

/**
 * Items that were let go, and are paid or may be paid after all: another payout that has taken their commissions
 * meanwhile would pay them twice, and a person has to look at it before it does. Their commissions are locked, as by
 * whoever sends or ends that payout.
 */
export async function raiseRivals(
  tx: Tx,
  context: CommandContext,
  itemIds: readonly string[],
): Promise<Notice[]> {
  if (itemIds.length === 0) return [];
  const rivals = await query<RivalRow>(
    tx,
    `SELECT DISTINCT k.id, k.payout_id AS "payoutId", k.workspace_id AS "workspaceId", k.mode
       FROM payout_items AS i JOIN payout_lines AS l ON l.item_id = i.id
       JOIN commissions AS c ON c.id = l.commission_id AND c.payout_id <> i.payout_id
       JOIN payout_lines AS m ON m.commission_id = c.id AND m.payout_id = c.payout_id
       JOIN payout_items AS k ON k.id = m.item_id
      WHERE i.id = ANY($1) AND (i.status = 'paid' OR i.attention_reason IS NOT NULL)
        AND k.status IN ('ready', 'sending') AND NOT 'twice ' = ANY (k.checked)
      ORDER BY k.payout_id, k.id`,
    [itemIds],
  );
  const notices: Notice[] = [];
  for (const payoutId of new Set(rivals.map((rival) => rival.payoutId))) {
    const own = rivals.filter((rival) => rival.payoutId === payoutId);
    const [batch] = own;
    const reason = 'twice';
    const told = await raise(tx, context, { itemIds: own.map(({ id }) => id), reason });
    if (batch) notices.push(...(await attentionNotices(tx, { batch, itemIds: told, reason })));
  }
  return notices;
}

interface ForBatch {
  batch: PayoutBatch;
  items: readonly BatchItem[];
  reason: BatchAttention;
}

/** Asks a person to check a whole batch: nothing of it is said any more by itself. */
export async function raiseForBatch(
  tx: Tx,
  context: CommandContext,
  { batch, items, reason }: ForBatch,
): Promise<void> {
  const open = items.filter(({ status, isLastBatch }) => status === 'sending' && isLastBatch);
  const unchecked = open.filter(({ checked }) => !checked.includes(`${reason} `));
  if (unchecked.length === 0 && batch.status !== 'trying') return;
  await execute(
    tx,
    `UPDATE payout_batches SET status = 'attention', attention_reason = $2, request = NULL,
       next_at = CASE WHEN provider_batch_id IS NULL AND candidate_id IS NULL THEN NULL ELSE next_at END
      WHERE id = $1`,
    [batch.id, reason],
  );
  const told = await raise(tx, context, { itemIds: unchecked.map(({ id }) => id), reason });
  await notify(tx, context, await attentionNotices(tx, { batch, itemIds: told, reason }));
}

interface AboutItems {
  batch: Pick<PayoutBatch, 'workspaceId' | 'mode' | 'payoutId'>;
  itemIds: readonly string[];
  /** The reason of the notice; `unknown`: nobody has answered for an hour. */
  reason: ItemAttention | 'unknown';
}

/** One notice to the merchant of all items that one answer raised. */
export async function attentionNotices(
  tx: Tx,
  { batch, itemIds, reason }: AboutItems,
): Promise<Notice[]> {
  if (itemIds.length === 0) return [];
  const { workspaceId, mode, payoutId } = batch;
  const about = await queryOne<{ programId: string; programName: string }>(
    tx,
    `SELECT g.id AS "programId", g.name AS "programName"
       FROM payouts AS o JOIN programs AS g ON g.id = o.program_id WHERE o.id = $1`,
    [payoutId],
  );
  if (!about) return [];
  const { programId, programName } = about;
  const amounts = await query<Amount>(
    tx,
    `SELECT currency, sum(amount_cents)::bigint AS "amountCents" FROM payout_items
      WHERE id = ANY($1) GROUP BY currency ORDER BY currency`,
    [itemIds],
  );
  return [
    {
      side: 'merchant',
      type: 'payout.attention',
      ...{ feedId: workspaceId, workspaceId, mode, participantId: null, causeId: newId() },
      data: { payoutId, programId },
      facts: { programName, amounts, reason },
    },
  ];
}
