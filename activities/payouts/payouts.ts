import { insertAll } from '../../entities/database/insert-all';
import { AppError } from '../../entities/errors';
import { newId } from '../../entities/ids';
import { Payout } from '../../entities/tables/payouts/payout.entity';
import type { PlannedItem } from '../../entities/rules/payouts/plan';
import { isSameTotals, totalsOf, type CurrencyTotal } from '../../entities/rules/payouts/preview';
import { insertOf, layOut, parametersOf } from '../../entities/database/bulk-rows';
import { tableOf } from '../../entities/database/columns';
import { execute, query, type Db, type Tx } from '../../entities/database/sql';
import { PayoutItem } from '../../entities/tables/payouts/payout-item.entity';
import { PayoutLine } from '../../entities/tables/payouts/payout-line.entity';
import { newItemReference } from '../../runtime/crypto/tokens';
import type { Actor } from '../../entities/rules/values/actor';
import type { CommandContext } from '../journal/cause';
import { reserve } from './book-items';
import { changePayout } from './mark-items';
import { countPayable, findTakeable, type PayableFilter } from './payables';
import { recordPayout, type PayoutRecord } from './records';
import { assertReleased } from './released';
import { methodCounts } from './method-counts';

export interface CreatePayout extends PayableFilter {
  reference: string | null;
  /** What a preview said that it would come to; otherwise nothing is made. */
  expected?: readonly CurrencyTotal[] | undefined;
}

/** A new payout, and how many commissions are left for the next one. */
export interface CreatedPayout extends PayoutRecord {
  remaining: number;
}

/**
 * Takes what is owed into a payout: one item per partner and currency, debts netted. PAYOUT_EMPTY;
 * COMMISSION_NOT_PAYABLE when one of the named ones is not, PAYOUT_CHANGED when it would come to
 * something else than expected: then nothing is taken. SERVICE_UNAVAILABLE after a restore.
 */
export function createPayout(
  db: Db,
  context: CommandContext,
  command: CreatePayout,
): Promise<CreatedPayout> {
  return changePayout(db, async (tx) => {
    await assertReleased(tx);
    const { scope } = context;
    const { items } = await findTakeable(tx, scope, { ...command, locks: true });
    if (command.expected && !isSameTotals(totalsOf(items), command.expected)) {
      throw new AppError('PAYOUT_CHANGED');
    }
    if (items.length === 0) throw new AppError('PAYOUT_EMPTY');

    const payoutId = await insertPayout(tx, context, command);
    await insertItems(tx, context, { payoutId, items });
    await reserve(tx, context, { payoutId });
    const payout = await recordPayout(tx, context, {
      payoutId,
      action: 'payout.created',
      events: [{ type: 'payout.created' }],
    });
    return { ...payout, remaining: await countPayable(tx, scope, command) };
  });
}

async function insertPayout(
  tx: Tx,
  { scope, now, actor }: CommandContext,
  { program, reference }: CreatePayout,
): Promise<string> {
  const id = newId(now);
  const { workspaceId, mode } = scope;
  const own = { id, workspaceId, mode, programId: program.id };
  const row = {
    ...own,
    createdBy: await makerOf(tx, actor),
    status: 'processing',
    reference,
    createdAt: now,
  } as const;
  await insertAll(tx, { into: Payout, rows: [row] });
  return id;
}

/** The person behind it: of a key the one who made it. */
async function makerOf(tx: Tx, { type, id }: Actor): Promise<string | null> {
  if (type !== 'api_key') return id;
  const [key] = await query<{ createdBy: string | null }>(
    tx,
    'SELECT created_by AS "createdBy" FROM api_keys WHERE id = $1',
    [id],
  );
  return key?.createdBy ?? null;
}

const itemRows = layOut({ items: tableOf(PayoutItem), lines: tableOf(PayoutLine) });

const unknownYet = {
  transactionId: null,
  reason: null,
  exportedAt: null,
  paidAt: null,
  endedAt: null,
  settledAt: null,
  notReceivedAt: null,
  reports: [],
  provider: null,
  batchId: null,
  providerItemId: null,
  providerStatus: null,
  feeCents: null,
  feeCurrency: null,
  sentAt: null,
  sends: 0,
  claimUntil: null,
  attentionReason: null,
  attentionAt: null,
  checked: [],
};

async function insertItems(
  tx: Tx,
  { scope }: CommandContext,
  payout: { payoutId: string; items: PlannedItem[] },
): Promise<void> {
  const { payoutId } = payout;
  const { workspaceId, mode } = scope;
  const fresh = { workspaceId, mode, payoutId, status: 'ready', ...unknownYet } as const;
  const methods = await methodsOf(tx, payout.items);
  const items = payout.items.map((item) => ({
    ...item,
    ...fresh,
    ...(methods.get(item.participantId) ?? noMethod),
    id: newId(),
    reference: newItemReference(),
    commissionCount: item.lines.length,
  }));
  const lines = items.flatMap((item) =>
    item.lines.map((line) => ({ ...line, payoutId, itemId: item.id })),
  );
  await execute(
    tx,
    `WITH items AS (${insertOf(itemRows.items)}) ${insertOf(itemRows.lines)}`,
    parametersOf(itemRows, { items, lines }),
  );
}

type PinnedMethod = Pick<
  PayoutItem,
  'methodType' | 'methodLabel' | 'methodEncrypted' | 'methodAccountId' | 'methodSaidAt'
>;

const noMethod: PinnedMethod = {
  methodType: null,
  methodLabel: null,
  methodEncrypted: null,
  methodAccountId: null,
  methodSaidAt: null,
};

/**
 * How the partners are paid by now, by participant: what is changed later is for later payouts. Without a
 * way of their account's own, the one that an import told of this programme pays.
 */
async function methodsOf(
  tx: Tx,
  items: readonly PlannedItem[],
): Promise<Map<string, PinnedMethod>> {
  const rows = await query<PinnedMethod & { participantId: string }>(
    tx,
    `SELECT p.id AS "participantId", way.*
       FROM participants AS p
       JOIN partner_accounts AS a ON a.id = p.partner_id AND a.erased_at IS NULL
      CROSS JOIN LATERAL (
        SELECT a.payout_method_type AS "methodType", a.payout_method_label AS "methodLabel",
               a.payout_method_encrypted AS "methodEncrypted", a.id AS "methodAccountId",
               a.payout_method_said_at AS "methodSaidAt"
         WHERE a.payout_method_encrypted IS NOT NULL AND ${methodCounts}
        UNION ALL
        SELECT p.payout_method_type, p.payout_method_label, p.payout_method_encrypted,
               p.payout_method_account_id, NULL::timestamptz
         WHERE p.payout_method_encrypted IS NOT NULL
           AND NOT (a.payout_method_encrypted IS NOT NULL AND ${methodCounts})) AS way
      WHERE p.id = ANY($1)`,
    [items.map((item) => item.participantId)],
  );
  return new Map(rows.map(({ participantId, ...method }) => [participantId, method]));
}
