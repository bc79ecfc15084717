import { selectList } from '../../entities/database/columns';
import { query, type Db } from '../../entities/database/sql';
import type { Scope } from '../../entities/rules/values/mode';
import type { PayoutMethod } from '../../entities/rules/payouts/method';
import { PayoutItem } from '../../entities/tables/payouts/payout-item.entity';
import type { Vault } from '../../runtime/crypto/vault';
import { openMethod } from '../accounts/payout-method';

/** An item of a payout and whom it pays, by the method that was its own when the payout was made. */
export interface PayeeRow extends Pick<PayoutItem, (typeof ofItem)[number]> {
  partnerName: string;
  partnerEmail: string;
  /** The payout's own reference, or its programme's name. */
  note: string;
}

const ofItem = [
  'id',
  'reference',
  'currency',
  'amountCents',
  'status',
  'transactionId',
  'reports',
  'methodEncrypted',
  'methodAccountId',
  'attentionReason',
] as const;

/** The items of a payout, oldest first, which are those with the smallest ids. */
export function payeeRowsOf(db: Db, scope: Scope, payoutId: string): Promise<PayeeRow[]> {
  return query<PayeeRow>(
    db,
    `SELECT ${selectList(PayoutItem, 'i', ofItem)}, p.partner_name AS "partnerName",
            p.partner_email AS "partnerEmail", coalesce(o.reference, g.name) AS note
       FROM payout_items AS i
       JOIN payouts AS o ON o.id = i.payout_id
       JOIN programs AS g ON g.id = o.program_id
       JOIN participants AS p ON p.id = i.participant_id
      WHERE i.payout_id = $1 AND i.workspace_id = $2 AND i.mode = $3 ORDER BY i.id`,
    [payoutId, scope.workspaceId, scope.mode],
  );
}

/** How an item pays; null where the partner had not said it, or was erased since then. */
export function methodOf(
  vault: Pick<Vault, 'decrypt'>,
  { methodEncrypted: box, methodAccountId: accountId }: PinnedMethod,
): PayoutMethod | null {
  return box === null || accountId === null ? null : openMethod(vault, { box, accountId });
}

type PinnedMethod = Pick<PayoutItem, 'methodEncrypted' | 'methodAccountId'>;
