import { hash } from 'node:crypto';
import { insertAll } from '../../entities/database/insert-all';
import {
  execute,
  query,
  queryOne,
  rowsAtOnce,
  type Db,
  type Tx,
} from '../../entities/database/sql';
import { AppError } from '../../entities/errors';
import { newId } from '../../entities/ids';
import { amountText } from '../../entities/rules/payouts/files';
import {
  leftOf,
  type DailyLimit,
  type PayoutApproval,
} from '../../entities/rules/payouts/providers';
import type { Scope } from '../../entities/rules/values/mode';
import { PayoutBatchItem } from '../../entities/tables/payouts/payout-batch-item.entity';
import { PayoutBatch } from '../../entities/tables/payouts/payout-batch.entity';
import type { PayoutConnection } from '../../entities/tables/payouts/payout-connection.entity';
import type { Vault } from '../../runtime/crypto/vault';
import { providerNamed } from '../../runtime/payout-providers/providers';
import type { Confirmed } from '../accounts/two-factor/changes';
import { spendCode } from '../accounts/two-factor/codes';
import type { CommandContext } from '../journal/cause';
import { record } from '../journal/record';
import { changePayout, lockPayout, markItems } from '../payouts/mark-items';
import { findPayout, type PayoutRecord } from '../payouts/records';
import { assertReleased } from '../payouts/released';
import { chooseItems, type Chosen, type ChosenItem, type SendChoice } from './chosen';
import { findConnection } from './connection';

export interface SendPayout extends SendChoice {
  /** The sums that a dry run said: when they differ nothing is sent. */
  expected: { items: number; amountCents: number };
}

export interface SentPayout {
  payout: PayoutRecord;
  leftOut: Chosen['leftOut'];
}

interface Stores {
  db: Db;
  vault: Pick<Vault, 'decrypt' | 'encrypt' | 'contactHash'>;
}

/**
 * Whether a payout may be sent now, and what that would be. In this order: SECOND_PERSON_REQUIRED,
 * SERVICE_UNAVAILABLE after a restore, PROVIDER_NOT_CONNECTED, VALIDATION_ERROR for several currencies,
 * PAYOUT_EMPTY, PAYOUT_CHANGED, PAYOUT_OVER_LIMIT. PAYOUT_NOT_FOUND.
 */
export async function checkSend(
  { db, vault }: Pick<Stores, 'db'> & { vault: Pick<Vault, 'decrypt'> },
  context: CommandContext,
  command: SendPayout,
): Promise<{ chosen: Chosen & { currency: string }; connection: PayoutConnection }> {
  const { scope } = context;
  await refuseMaker(db, context, command.payoutId);
  await assertReleased(db);
  const { provider } = command;
  // The second of two sends at once waits here, and finds what the first has used of the limit.
  const connection = await findConnection(db, scope, {
    provider,
    ...(db.isOpen && { lock: 'UPDATE' as const }),
  });
  if (!connection) throw new AppError('PROVIDER_NOT_CONNECTED');
  const chosen = await chooseItems({ db, vault }, scope, command);
  const { currency, items, amountCents } = chosen;
  if (currency === null || items.length === 0) throw new AppError('PAYOUT_EMPTY');
  const { expected } = command;
  if (expected.items !== items.length || expected.amountCents !== amountCents) {
    throw new AppError('PAYOUT_CHANGED');
  }
  await refuseOverLimit(db, context, { currency, amountCents });
  return { chosen: { ...chosen, currency }, connection };
}

/**
 * Has a provider pay what of a payout can be sent: the batches and what they say are kept before the first byte,
 * and the workers do the rest. The codes of `checkSend`, and TWO_FACTOR_INVALID when the code was used meanwhile.
 */
export function sendPayout(
  { db, vault }: Stores,
  context: CommandContext,
  { confirmed, ...command }: SendPayout & { confirmed: Confirmed },
): Promise<SentPayout> {
  return changePayout(db, async (tx) => {
    const { payoutId } = command;
    await lockPayoutAndItems(tx, context.scope, payoutId);
    const { chosen, connection } = await checkSend({ db: tx, vault }, context, command);
    await spendCode(tx, context, confirmed);
    const marks = chosen.items.map(({ id }) => ({ itemId: id, status: 'sending' as const }));
    await markItems(tx, context, { payoutId, trigger: 'send', marks });
    const { maxItems } = providerNamed(command.provider);
    for (let from = 0; from < chosen.items.length; from += maxItems) {
      const items = chosen.items.slice(from, from + maxItems);
      await storeBatch({ db: tx, vault }, context, {
        payoutId,
        connection,
        currency: chosen.currency,
        items,
      });
    }
    const payout = await findPayout(tx, context.scope, payoutId);
    if (!payout) throw new Error('a payout that is locked is gone');
    return { payout, leftOut: chosen.leftOut };
  });
}

/** Locks in the order in which all do: commissions, then the payout. */
async function lockPayoutAndItems(tx: Tx, scope: Scope, payoutId: string): Promise<void> {
  await query(
    tx,
    `SELECT c.id FROM commissions AS c JOIN payout_lines AS l ON l.commission_id = c.id
       JOIN payout_items AS i ON i.id = l.item_id AND i.status = 'ready'
      WHERE l.payout_id = $1 AND c.workspace_id = $2 AND c.mode = $3
      ORDER BY c.id FOR UPDATE OF c`,
    [payoutId, scope.workspaceId, scope.mode],
  );
  await lockPayout(tx, scope, payoutId);
}

async function refuseMaker(
  db: Db,
  { scope, actor }: CommandContext,
  payoutId: string,
): Promise<void> {
  const found = await queryOne<{ approval: PayoutApproval; createdBy: string | null }>(
    db,
    `SELECT w.payout_approval AS approval, o.created_by AS "createdBy"
       FROM payouts AS o JOIN workspaces AS w ON w.id = o.workspace_id
      WHERE o.id = $1 AND o.workspace_id = $2 AND o.mode = $3`,
    [payoutId, scope.workspaceId, scope.mode],
  );
  if (!found) throw new AppError('PAYOUT_NOT_FOUND');
  const isMaker = found.createdBy !== null && found.createdBy === actor.id;
  if (found.approval === 'two' && isMaker) throw new AppError('SECOND_PERSON_REQUIRED');
}

const limitHours = 24;

async function refuseOverLimit(
  db: Db,
  { scope, now }: CommandContext,
  { currency, amountCents }: { currency: string; amountCents: number },
): Promise<void> {
  const { workspaceId, mode } = scope;
  const used = await queryOne<{ limits: DailyLimit[]; usedCents: number }>(
    db,
    `SELECT w.payout_daily_limits AS limits, coalesce((
        SELECT sum(i.amount_cents) FROM payout_batches AS b
          JOIN payout_batch_items AS i ON i.batch_id = b.id AND i.outcome IN ('sending', 'paid')
         WHERE b.workspace_id = $1 AND b.mode = $2 AND b.currency = $3
           AND b.created_at > $4::timestamptz - interval '${limitHours} hours'), 0)::bigint AS "usedCents"
       FROM workspaces AS w WHERE w.id = $1`,
    [workspaceId, mode, currency, now],
  );
  const left = leftOf(used?.limits ?? [], { currency, usedCents: used?.usedCents ?? 0 });
  if (amountCents <= left) return;
  const shown = `${amountText({ amountCents: left, currency })} ${currency.toUpperCase()}`;
  throw new AppError('PAYOUT_OVER_LIMIT', {
    message: `The daily limit of this currency leaves ${shown} for now.`,
  });
}

interface NewBatch {
  payoutId: string;
  connection: PayoutConnection;
  currency: string;
  items: readonly ChosenItem[];
}

async function storeBatch(
  { db: tx, vault }: { db: Tx; vault: Stores['vault'] },
  context: CommandContext,
  { payoutId, connection, currency, items }: NewBatch,
): Promise<void> {
  const { scope, now } = context;
  const { workspaceId, mode } = scope;
  const { provider, clientId } = connection;
  const id = newId(now);
  const senderBatchId = senderIdOf({ payoutId, currency, items });
  const request = providerNamed(provider).requestOf({
    senderBatchId,
    currency,
    items,
    text: await textOf(tx, payoutId),
  });
  const amountCents = items.reduce((sum, item) => sum + item.amountCents, 0);
  const own = { id, workspaceId, mode, payoutId, provider, clientId, senderBatchId };
  const kept = {
    ...{ currency, itemCount: items.length, amountCents, status: 'trying' as const },
    request: vault.encrypt(request, ['payout_batches.request', id]),
  };
  const rows = [
    { ...own, ...kept, tries: 0, isInDoubt: false, asks: 0, nextAt: now, createdAt: now },
  ];
  await insertAll(tx, { into: PayoutBatch, rows });
  await storeItems({ db: tx, vault }, context, { batchId: id, provider, items });
  await record(tx, context, {
    audit: {
      action: 'payout.batch_stored',
      target: { type: 'payout_batch', id },
      details: {
        payoutId,
        senderBatchId,
        providerBatchId: null,
        currency,
        items: items.length,
        amountCents,
      },
    },
    work: [{ topic: 'payout_batch', ref: id, payload: { mode } }],
  });
}

interface StoredItems {
  batchId: string;
  provider: PayoutConnection['provider'];
  items: readonly ChosenItem[];
}

async function storeItems(
  { db: tx, vault }: { db: Tx; vault: Stores['vault'] },
  context: CommandContext,
  { batchId, provider, items }: StoredItems,
): Promise<void> {
  for (let from = 0; from < items.length; from += rowsAtOnce) {
    await insertAll(tx, {
      into: PayoutBatchItem,
      rows: items.slice(from, from + rowsAtOnce).map((item, index) => ({
        ...{ batchId, itemId: item.id, place: from + index, amountCents: item.amountCents },
        addressHash: vault.contactHash(item.address.toLowerCase()),
        outcome: 'sending' as const,
        word: null,
        transactionId: null,
      })),
    });
  }
  await execute(
    tx,
    `UPDATE payout_items SET provider = $2, batch_id = $3, sends = sends + 1, sent_at = $4,
       provider_item_id = NULL, provider_status = NULL, fee_cents = NULL, fee_currency = NULL,
       claim_until = NULL WHERE id = ANY($1)`,
    [items.map((item) => item.id), provider, batchId, context.now],
  );
}

/**
 * What the provider knows a batch by. The same items with the same sums and addresses have the same, unless they
 * were sent meanwhile: so what a restore forgot is found again.
 */
function senderIdOf({ payoutId, currency, items }: Omit<NewBatch, 'connection'>): string {
  const said = items.map((item) => [item.reference, item.address, item.amountCents, item.sends]);
  return `aps-${hash('sha256', JSON.stringify([payoutId, currency, said]))}`;
}

/** What payees read: the programme, and the payout's own reference. */
async function textOf(tx: Tx, payoutId: string): Promise<string> {
  const row = await queryOne<{ text: string }>(
    tx,
    `SELECT concat_ws(' ', g.name, o.reference) AS text
       FROM payouts AS o JOIN programs AS g ON g.id = o.program_id WHERE o.id = $1`,
    [payoutId],
  );
  return row?.text ?? '';
}
