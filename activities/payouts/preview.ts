import { transaction, type Db } from '../../entities/database/sql';
import type { PlannedItem } from '../../entities/rules/payouts/plan';
import {
  leftOutOf,
  totalsOf,
  type CurrencyTotal,
  type LeftOut,
} from '../../entities/rules/payouts/preview';
import type { Scope } from '../../entities/rules/values/mode';
import { countPayable, findTakeable, openSumsOf, type PayableFilter } from './payables';

interface PreviewedItem extends PlannedItem {
  partnerName: string;
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
    const names = new Map(sums.map((sum) => [sum.participantId, sum.partnerName]));
    const payable = new Set(payables.filter((one) => one.isPayable).map((one) => one.commissionId));
    const lines = planned.flatMap((item) => item.lines);
    const used = lines.filter(({ commissionId }) => payable.has(commissionId)).length;
    return {
      items: planned.map((item) => ({ ...item, partnerName: names.get(item.participantId) ?? '' })),
      totals: totalsOf(planned),
      leftOut: leftOutOf(sums, planned, {
        min: filter.program,
        paysSuspended: filter.commissionIds !== undefined,
        requireMethod: filter.requireMethod ?? false,
      }),
      remaining: Math.max(0, (await countPayable(tx, scope, filter)) - used),
    };
  });
}
