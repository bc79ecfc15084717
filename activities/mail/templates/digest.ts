import { digestLines } from '../../../entities/rules/mail/digest';
import type { MailType } from '../../../entities/rules/mail/mail';
import type { MailContent } from './layout';

export interface DigestFacts {
  type: MailType;
  /** Subjects of the first mails, oldest first. */
  subjects: string[];
  /** How many there are in all. */
  total: number;
}

/** What each type is called when there are many. */
const plurals: Partial<Record<MailType, string>> = {
  'conversion.created': 'new conversions',
  'conversion.fraud_detected': 'conversions look like fraud',
  'commission.needs_review': 'commissions need your review',
  'commission.created': 'new commissions',
  'commission.approved': 'commissions are approved',
  'commission.rejected': 'commissions were rejected',
  'commission.refunded': 'commissions were reduced by refunds',
  'participant.applied': 'partners applied',
  'participant.joined': 'partners joined',
  'payout.created': 'payouts are on their way',
  'payout.completed': 'payouts are completed',
  'payout.cancelled': 'payouts were cancelled',
};

/** One mail in place of many of a type that came within minutes. */
export function digestContent({ type, subjects, total }: DigestFacts): MailContent {
  const title = `${total} more: ${plurals[type] ?? 'notifications of one kind'}`;
  const shown = subjects.slice(0, digestLines);
  const rest = total - shown.length;
  return {
    subject: title,
    heading: title,
    paragraphs: [
      'Many notifications of this kind came within minutes, so the rest of them come in one mail.',
    ],
    items: rest > 0 ? [...shown, `and ${rest} more`] : shown,
    why: 'Every notification stands in your feed as well.',
  };
}
