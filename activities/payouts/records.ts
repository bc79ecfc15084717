import { selectList } from '../../entities/database/columns';
import { query, type Db, type Tx } from '../../entities/database/sql';
import type { Scope } from '../../entities/rules/values/mode';
import { PayoutItem } from '../../entities/tables/payouts/payout-item.entity';
import { Payout } from '../../entities/tables/payouts/payout.entity';
import type { PayoutObject } from '../../entities/rules/webhooks/objects';
import type { CommandContext } from '../journal/cause';
import type { EventDraft } from '../journal/events';
import { record } from '../journal/record';

const itemColumns = [
  'id',
  'payoutId',
  'participantId',
  'currency',
  'amountCents',
  'commissionCount',
  'reference',
  'methodType',
  'methodLabel',
  'status',
  'transactionId',
  'reason',
  'exportedAt',
  'paidAt',
  'endedAt',
  'provider',
  'batchId',
  'providerItemId',
  'providerStatus',
  'feeCents',
  'feeCurrency',
  'sentAt',
  'claimUntil',
  'attentionReason',
  'attentionAt',
] as const;

/** An item for people: without the account that it pays. */
export interface PayoutItemRecord extends Pick<PayoutItem, (typeof itemColumns)[number]> {
  partnerName: string;
  /** The commissions that the item pays; present only when the payout is read alone. */
  commissionIds?: string[];
}

export interface PayoutRecord extends Payout {
  items: PayoutItemRecord[];
}

/** One payout with its items; undefined for one of another workspace or mode. */
export async function findPayout(
  db: Db,
  scope: Scope,
  payoutId: string,
): Promise<PayoutRecord | undefined> {
  const payouts = await query<Payout>(
    db,
    `SELECT ${selectList(Payout, 'o')} FROM payouts AS o
      WHERE o.id = $1 AND o.workspace_id = $2 AND o.mode = $3`,
    [payoutId, scope.workspaceId, scope.mode],
  );
  const [payout] = await withItems(db, payouts);
  return payout && withCommissions(db, payout);
}

/**
 * Says in the audit log and by events what became of a payout; returns it as it is now. Without
 * `action` nothing did, and nothing is said.
 */
export async function recordPayout(
  tx: Tx,
  context: CommandContext,
  { payoutId, action, events }: PayoutStory,
): Promise<PayoutRecord> {
  const payout = await findPayout(tx, context.scope, payoutId);
  if (!payout) throw new Error('a payout that is locked is gone');
  if (!action) return payout;
  await record(tx, context, {
    audit: { action, target: { type: 'payout', id: payoutId } },
    events: events.flatMap((event) => payoutEvents(payout, event)),
  });
  return payout;
}

export interface PayoutStory {
  payoutId: string;
  action: `payout.${string}` | undefined;
  events: PayoutEvent[];
}

/** Whether there is such a payout in the scope. */
export async function hasPayout(db: Db, scope: Scope, payoutId: string): Promise<boolean> {
  const rows = await query(
    db,
    'SELECT 1 FROM payouts WHERE id = $1 AND workspace_id = $2 AND mode = $3',
    [payoutId, scope.workspaceId, scope.mode],
  );
  return rows.length > 0;
}

/** The commissions of each item, by id. */
async function withCommissions(db: Db, payout: PayoutRecord): Promise<PayoutRecord> {
  const rows = await query<{ itemId: string; ids: string[] }>(
    db,
    `SELECT item_id AS "itemId", array_agg(commission_id ORDER BY commission_id) AS ids
       FROM payout_lines WHERE payout_id = $1 GROUP BY item_id`,
    [payout.id],
  );
  const ids = new Map(rows.map((row) => [row.itemId, row.ids]));
  const items = payout.items.map((item) => ({ ...item, commissionIds: ids.get(item.id) ?? [] }));
  return { ...payout, items };
}

/** The payouts with their items, sorted by partner. */
export async function withItems(db: Db, payouts: readonly Payout[]): Promise<PayoutRecord[]> {
  if (payouts.length === 0) return [];
  const rows = await query<PayoutItemRecord>(
    db,
    `SELECT ${selectList(PayoutItem, 'i', itemColumns)}, p.partner_name AS "partnerName"
       FROM payout_items AS i
       JOIN participants AS p ON p.id = i.participant_id
      WHERE i.payout_id = ANY($1)
      ORDER BY p.partner_name, i.participant_id, i.currency`,
    [payouts.map((payout) => payout.id)],
  );
  return payouts.map((payout) => ({
    ...payout,
    items: rows.filter((row) => row.payoutId === payout.id),
  }));
}

export interface PayoutEvent {
  type:
    | 'payout.created'
    | 'payout.completed'
    | 'payout.cancelled'
    | 'payout.item_returned'
    | 'payout.item_updated';
  /** The items in the event; default: all of the payout's. */
  itemIds?: readonly string[];
  /** Names only the items that a provider was told to pay; without any there is no event. */
  ofProvider?: true;
  /** The cause of a change after the payout was completed, which merchants know. */
  cause?: 'paid_late';
}

/**
 * An outbound event with the payout as it is now, in snake_case, without names; its items are those
 * that it tells of.
 */
function payoutEvents(
  payout: PayoutRecord,
  { type, itemIds, ofProvider, ...cause }: PayoutEvent,
): EventDraft[] {
  const named = payout.items.filter(({ id }) => itemIds?.includes(id) ?? true);
  const items = named.filter(({ provider }) => !ofProvider || provider !== null);
  if (ofProvider && items.length === 0) return [];
  return [{ type, objectId: payout.id, object: payoutObject({ ...payout, items }), ...cause }];
}

/** `data.object` of the payout.* kinds. */
function payoutObject(payout: PayoutRecord): PayoutObject {
  return {
    id: payout.id,
    program_id: payout.programId,
    status: payout.status,
    reference: payout.reference,
    items: payout.items.map((item) => ({
      id: item.id,
      status: item.status,
      participant_id: item.participantId,
      currency: item.currency,
      amount_cents: item.amountCents,
      commission_count: item.commissionCount,
      provider: item.provider,
    })),
    created_at: payout.createdAt.toISOString(),
    completed_at: payout.completedAt?.toISOString() ?? null,
    cancelled_at: payout.cancelledAt?.toISOString() ?? null,
  };
}
