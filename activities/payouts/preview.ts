import { query, transaction, type Db, type Tx } from '../../entities/database/sql';
import type { PlannedItem } from '../../entities/rules/payouts/plan';
import {
  leftOutOf,
  totalsOf,
  type CurrencyTotal,
  type LeftOut,
} from '../../entities/rules/payouts/preview';
import type { Scope } from '../../entities/rules/values/mode';
import { methodCounts } from './method-counts';
import { countPayable, findTakeable, openSumsOf, type PayableFilter } from './payables';

interface PreviewedItem extends PlannedItem {
  partnerName: string;
  /** How the partner is paid by now, masked; null where nothing is said that counts. */
  method: ShownMethod | null;
}

interface ShownMethod {
  type: string;
  label: string;
}

export interface PayoutPreview {
  items: PreviewedItem[];
  totals: CurrencyTotal[];
  leftOut: LeftOut[];
  /** Commissions that would be left for the next payout. */
  remaining: number;
}

/** What a payout would take if it was made now; changes nothing. COMMISSION_NOT_PAYABLE. */
export function previewPayout(db: Db, scope: Scope, asked: PayableFilter): Promise<PayoutPreview> {
  return transaction(db, async (tx) => {
    const takeable = await findTakeable(tx, scope, { ...asked, locks: false });
    const { filter, payables, items: planned } = takeable;
    const sums = await openSumsOf(tx, scope, asked);
    const methods = await shownMethodsOf(tx, planned);
    const names = new Map(sums.map((sum) => [sum.participantId, sum.partnerName]));
    const payable = new Set(payables.filter((one) => one.isPayable).map((one) => one.commissionId));
    const lines = planned.flatMap((item) => item.lines);
    const used = lines.filter(({ commissionId }) => payable.has(commissionId)).length;
    return {
      items: planned.map((item) => ({
        ...item,
        partnerName: names.get(item.participantId) ?? '',
        method: methods.get(item.participantId) ?? null,
      })),
      totals: totalsOf(planned),
      leftOut: leftOutOf(sums, planned, {
        min: filter.program,
        paysSuspended: filter.commissionIds !== undefined,
        requireMethod: filter.requireMethod ?? false,
        requireConfirmed: filter.requireConfirmed ?? false,
      }),
      remaining: Math.max(0, (await countPayable(tx, scope, filter)) - used),
    };
  });
}

/** Methods by participant. */
async function shownMethodsOf(
  tx: Tx,
  items: readonly PlannedItem[],
): Promise<Map<string, ShownMethod>> {
  const rows = await query<ShownMethod & { participantId: string }>(
    tx,
    `SELECT p.id AS "participantId", a.payout_method_type AS type, a.payout_method_label AS label
       FROM participants AS p
       JOIN partner_accounts AS a ON a.id = p.partner_id AND a.erased_at IS NULL
        AND a.payout_method_encrypted IS NOT NULL AND ${methodCounts}
      WHERE p.id = ANY($1)`,
    [items.map((item) => item.participantId)],
  );
  return new Map(rows.map(({ participantId, ...method }) => [participantId, method]));
}
