import { query, type Db } from '../../entities/database/sql';
import type { Scope } from '../../entities/rules/values/mode';
import type { PayoutMethod } from '../../entities/rules/payouts/method';
import type { PayoutItem } from '../../entities/tables/payouts/payout-item.entity';
import type { Vault } from '../../runtime/crypto/vault';
import { openMethod } from '../accounts/payout-method';
import { methodCounts } from './method-counts';

type OfItem = 'id' | 'reference' | 'currency' | 'amountCents' | 'status' | 'transactionId';

/** An item of a payout and whom it pays. */
export interface PayeeRow extends Pick<PayoutItem, OfItem> {
  partnerId: string;
  partnerName: string;
  partnerEmail: string;
  /** How they are paid, encrypted; null while nobody has said it. */
  box: string | null;
  /** The payout's own reference, or its programme's name. */
  note: string;
}

/** The items of a payout, oldest first, which are those with the smallest ids. */
export function payeeRowsOf(db: Db, scope: Scope, payoutId: string): Promise<PayeeRow[]> {
  return query<PayeeRow>(
    db,
    `SELECT i.id, i.reference, i.currency, i.amount_cents AS "amountCents", i.status,
            i.transaction_id AS "transactionId", p.partner_id AS "partnerId",
            p.partner_name AS "partnerName", p.partner_email AS "partnerEmail",
            a.payout_method_encrypted AS box, coalesce(o.reference, g.name) AS note
       FROM payout_items AS i
       JOIN payouts AS o ON o.id = i.payout_id
       JOIN programs AS g ON g.id = o.program_id
       JOIN participants AS p ON p.id = i.participant_id
       LEFT JOIN partner_accounts AS a
         ON a.id = p.partner_id AND a.erased_at IS NULL AND ${methodCounts}
      WHERE i.payout_id = $1 AND i.workspace_id = $2 AND i.mode = $3 ORDER BY i.id`,
    [payoutId, scope.workspaceId, scope.mode],
  );
}

export function methodOf(
  vault: Pick<Vault, 'decrypt'>,
  { box, partnerId: accountId }: PayeeRow,
): PayoutMethod | null {
  return box === null ? null : openMethod(vault, { box, accountId });
}
