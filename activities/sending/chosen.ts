import { query, type Db } from '../../entities/database/sql';
import { firstIdAt } from '../../entities/ids';
import { AppError, validationError } from '../../entities/errors';
import {
  whyLeftOut,
  type LeftOutReason,
  type SendableItem,
} from '../../entities/rules/payouts/left-out';
import { recipientOf } from '../../entities/rules/payouts/method';
import type { PayoutProviderName } from '../../entities/rules/payouts/providers';
import type { Scope } from '../../entities/rules/values/mode';
import type { Vault } from '../../runtime/crypto/vault';
import { providerNamed } from '../../runtime/payout-providers/providers';
import { methodOf } from '../payouts/payees';

export interface SendChoice {
  payoutId: string;
  provider: PayoutProviderName;
  currency?: string | undefined;
  requireConfirmed?: boolean | undefined;
  confirmExported?: boolean | undefined;
}

/** An item that is to be sent, with the address that it pays. */
export interface ChosenItem {
  id: string;
  reference: string;
  amountCents: number;
  /** How often it was in a batch before. */
  sends: number;
  address: string;
}

export interface Chosen {
  /** The currency of what is sent; null when nothing is and none was named. */
  currency: string | null;
  items: ChosenItem[];
  amountCents: number;
  leftOut: { itemId: string; why: LeftOutReason }[];
}

/** What of a payout's ready items is sent, and why the others are not. VALIDATION_ERROR for several currencies. */
export async function chooseItems(
  { db, vault }: { db: Db; vault: Pick<Vault, 'decrypt'> },
  scope: Scope,
  choice: SendChoice,
): Promise<Chosen> {
  const provider = providerNamed(choice.provider);
  const ready = await readyRows(db, scope, choice.payoutId);
  const currency = choice.currency ?? onlyCurrency(ready, provider.method);
  const wanted = ready.filter((row) => currency === null || row.currency === currency);
  const chosen: Chosen = { currency, items: [], amountCents: 0, leftOut: [] };
  for (const row of wanted) {
    const method = methodOf(vault, row);
    const address = method?.type === provider.method ? recipientOf(method) : '';
    const isTaken = address === '' || provider.takesAddress(address);
    const item = { ...sendableOf(row, isTaken), methodType: method?.type ?? null };
    const why = whyLeftOut(item, { ...optionsOf(choice), method: provider.method });
    if (why) chosen.leftOut.push({ itemId: row.id, why });
    else chosen.items.push({ ...row, address });
  }
  chosen.amountCents = chosen.items.reduce((sum, item) => sum + item.amountCents, 0);
  return chosen;
}

function sendableOf(row: ReadyRow, isTaken: boolean): Omit<SendableItem, 'methodType'> {
  return {
    isConfirmed: !row.isImported,
    isExported: row.exportedAt !== null,
    isSuspended: row.isSuspended,
    isRefused: row.hasFailedTwice || !isTaken,
    hasAttention: row.attentionReason !== null,
  };
}

function optionsOf({ requireConfirmed = false, confirmExported = false }: SendChoice) {
  return { requireConfirmed, confirmExported };
}

function onlyCurrency(ready: readonly ReadyRow[], method: string): string | null {
  const own = ready.filter(({ methodType }) => methodType === method);
  const currencies = [...new Set((own.length > 0 ? own : ready).map((row) => row.currency))].sort();
  if (currencies.length > 1 && own.length > 0) {
    throw validationError('currency', `must be one of ${currencies.join(', ')}`);
  }
  return currencies.length === 1 ? (currencies[0] ?? null) : null;
}

interface ReadyRow {
  id: string;
  reference: string;
  currency: string;
  amountCents: number;
  sends: number;
  methodType: string | null;
  methodEncrypted: string | null;
  methodAccountId: string | null;
  exportedAt: Date | null;
  attentionReason: string | null;
  /** The address came with an import, and its partner has not said it. */
  isImported: boolean;
  isSuspended: boolean;
  hasFailedTwice: boolean;
}

async function readyRows(db: Db, scope: Scope, payoutId: string): Promise<ReadyRow[]> {
  const [payout] = await query<{ createdAt: Date }>(
    db,
    `SELECT created_at AS "createdAt" FROM payouts
      WHERE id = $1 AND workspace_id = $2 AND mode = $3`,
    [payoutId, scope.workspaceId, scope.mode],
  );
  if (!payout) throw new AppError('PAYOUT_NOT_FOUND');
  return query<ReadyRow>(
    db,
    `SELECT i.id, i.reference, i.currency, i.amount_cents AS "amountCents", i.sends,
            i.method_type AS "methodType", i.method_encrypted AS "methodEncrypted",
            i.method_account_id AS "methodAccountId", i.exported_at AS "exportedAt",
            i.attention_reason AS "attentionReason",
            coalesce(i.method_said_at IS NULL AND p.payout_method_encrypted IS NOT NULL
              AND i.method_label = p.payout_method_label, false) AS "isImported",
            p.status = 'suspended' AND EXISTS (
              SELECT 1 FROM audit_log AS l
               WHERE l.id >= $4 AND l.workspace_id = $2 AND l.action = 'participant.suspended'
                 AND l.target_id = p.id::text AND l.created_at >= $5) AS "isSuspended",
            coalesce(ends.failed = 2, false) AS "hasFailedTwice"
       FROM payout_items AS i JOIN participants AS p ON p.id = i.participant_id
       LEFT JOIN LATERAL (
         SELECT count(*) FILTER (WHERE e.status = 'failed') AS failed
           FROM (SELECT k.status FROM payout_items AS k
                  WHERE k.participant_id = i.participant_id AND k.id <> i.id
                    AND k.method_account_id = i.method_account_id
                    AND k.method_said_at IS NOT DISTINCT FROM i.method_said_at
                    AND k.status IN ('paid', 'failed', 'returned')
                  ORDER BY coalesce(k.ended_at, k.paid_at) DESC, k.id DESC LIMIT 2) AS e) AS ends
         ON true
      WHERE i.payout_id = $1 AND i.workspace_id = $2 AND i.mode = $3 AND i.status = 'ready'
      ORDER BY i.reference`,
    [payoutId, scope.workspaceId, scope.mode, firstIdAt(payout.createdAt), payout.createdAt],
  );
}
