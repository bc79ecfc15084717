import type { ReactNode } from 'react';
import type { PartnerCommissionDto } from '../session/records';
import { text } from '../text/en';
import { earnings as words } from '../text/en/portal/earnings';
import { formatDay } from '../ui/format';
import { Money, When } from '../ui/values';

/** What was sold, or what else earned it. */
export function saleOf({
  commissionType,
  conversionAmountCents,
  currency,
}: PartnerCommissionDto): ReactNode {
  if (commissionType === 'adjustment' || commissionType === 'bonus') return words[commissionType];
  return <Money cents={conversionAmountCents} currency={currency} />;
}

/** When the money comes, as far as it can be known. */
export function paidWhen(row: PartnerCommissionDto): ReactNode {
  const { status, paidAt, payoutId, holdActive, holdUntil } = row;
  if (status === 'paid') return <When at={paidAt} />;
  if (status === 'approved') return payoutId ? words.inPayout : words.nextPayout;
  if (status !== 'pending') return row.rejectionReason ?? text.nothing;
  return holdActive && holdUntil ? words.heldUntil(formatDay(holdUntil)) : words.waits;
}
