import { digestLines } from '../../../entities/rules/mail/digest';
import type { MailType } from '../../../entities/rules/mail/mail';
import type { Amount } from '../../../entities/rules/notifications/facts';
import { money } from '../../../entities/rules/notifications/text';
import type { MailContent } from './layout';

export interface DigestFacts {
  type: MailType;
  /** The first mails, oldest first: their subjects, and the programmes that they are about. */
  lines: { subject: string; programName?: string | null | undefined }[];
  /** How many there are in all. */
  total: number;
  /** What all of them come to, one amount a currency; none where a sum says nothing. */
  sums: Amount[];
}

/** What each type is called when there are many, behind their number. */
const plurals: Partial<Record<MailType, string>> = {
  'conversion.created': 'conversions',
  'conversion.fraud_detected': 'conversions look like fraud',
  'commission.needs_review': 'commissions need your review',
  'commission.created': 'commissions',
  'commission.approved': 'commissions are approved',
  'commission.rejected': 'commissions were rejected',
  'commission.refunded': 'commissions were changed by refunds',
  'participant.applied': 'partners applied',
  'participant.joined': 'partners joined',
  'participant.approved': 'programmes have accepted you',
  'participant.rejected': 'applications were not accepted',
  'participant.suspended': 'partnerships are suspended',
  'participant.reinstated': 'partnerships are reinstated',
  'participant.moved': 'programmes have moved you to another group',
  'program.terms_changed': 'programmes have changed their terms',
  'program.closing': 'programmes have told of their end',
  'customer.lost': 'customers are not yours any more',
  'payout.created': 'payouts are on their way',
  'payout.completed': 'payouts are completed',
  'payout.cancelled': 'payouts were cancelled or came back',
  'payout.not_received': 'payouts were not received',
  'payout.attention': 'payouts need a look',
  'payout.unclaimed': 'payouts wait for you',
  'webhook.dead_letter': 'webhooks could not be delivered',
  'webhook.disabled': 'webhook endpoints were disabled',
  'stripe.events_failing': 'reports of events from Stripe',
  'biller.events_failing': 'reports of events from your biller',
};

/** One mail in place of many of a type that came within minutes. */
export function digestContent({ type, lines, total, sums }: DigestFacts): MailContent {
  const [first] = lines;
  const many = `${total} more ${plurals[type] ?? 'notifications'}`;
  const title = total === 1 && first ? first.subject : many;
  const rest = total - Math.min(lines.length, digestLines);
  const shown = lines.slice(0, digestLines).map(lineOf);
  return {
    subject: title,
    heading: title,
    paragraphs: [
      'Many notifications of this kind came within minutes, so the rest of them come in one mail.',
    ],
    ...(sums.length > 0 && total > 1
      ? { rows: [{ label: 'Together', value: sums.map(money).join(' and ') }] }
      : {}),
    items: rest > 0 ? [...shown, `and ${rest} more`] : shown,
    why: 'Every notification stands in your feed as well.',
  };
}

function lineOf({ subject, programName }: DigestFacts['lines'][number]): string {
  return programName && !subject.includes(programName) ? `${subject} (${programName})` : subject;
}
