import type { Side } from '../../entities/rules/accounts/accounts';
import { mailTypes, type MailType } from '../../entities/rules/mail/mail';
import {
  merchantNotifications,
  partnerNotifications,
} from '../../entities/rules/notifications/types';
import { recordPath } from '../../entities/rules/notifications/record-path';
import { templateOf, type TemplateType } from '../../activities/mail/templates';
import { digestContent } from '../../activities/mail/templates/digest';
import type { MailParams } from '../../activities/mail/templates/facts';
import type { MailContent } from '../../activities/mail/templates/layout';

export interface ExampleMail {
  type: MailType;
  side: Side;
  content: MailContent;
}

const amount = { amountCents: 1250, currency: 'eur' };
const programme = { programName: 'Acme Shop', amount };
const sale = { ...programme, partnerName: 'Pat Partner', transactionId: 'order_1001' };
const payout = {
  programName: 'Acme Shop',
  amounts: [
    { amountCents: 481_250, currency: 'eur' },
    { amountCents: 92_000, currency: 'jpy' },
  ],
  partners: 12,
};
const endpoint = {
  url: 'https://shop.example/hooks/affiliate?tenant=1029384756-a-rather-long-address',
  reason: 'The endpoint answered 500 for five days.',
};
const key = { kind: 'secret', mode: 'live', name: 'Shop server', prefix: 'sk_live_4fT9' };
const closing = { name: 'Acme Shop', until: '2026-03-02T09:30:00.000Z' };
const member = { memberEmail: 'max@shop.example', role: 'admin' } as const;

/** Facts as they come from the domain, one set for each type. */
const facts: Partial<Record<MailType, MailParams>> = {
  'member.invited': { workspaceName: 'Acme Shop', role: 'admin' },
  'partner.invited': { programName: 'Acme Shop', workspaceName: 'Acme Trading' },
  'partner.added': { programName: 'Acme Shop', workspaceName: 'Acme Trading' },
  'participant.erased': { programName: 'Acme Shop' },
  'conversion.created': { ...sale, amount: { amountCents: 12_500, currency: 'eur' } },
  'conversion.fraud_detected': {
    ...sale,
    amount: { amountCents: 12_500, currency: 'eur' },
    rules: ['same_ip_as_partner', 'click_velocity'],
  },
  'commission.needs_review': { ...sale, review: 'AMOUNT_OVER_LIMIT' },
  'commission.created': programme,
  'commission.approved': programme,
  'commission.rejected': { ...programme, reason: 'The order was cancelled by the buyer.' },
  'commission.refunded': sale,
  'participant.applied': { programName: 'Acme Shop', partnerName: 'Pat Partner' },
  'participant.joined': { programName: 'Acme Shop', partnerName: 'Pat Partner' },
  'participant.approved': {
    programName: 'Acme Shop',
    referralUrl: 'https://acme.example/?ref=pat-4k7q',
  },
  'participant.rejected': { programName: 'Acme Shop', reason: 'We look for partners in Europe.' },
  'participant.suspended': { programName: 'Acme Shop', reason: 'Ads on our own brand name.' },
  'participant.reinstated': { programName: 'Acme Shop' },
  'participant.moved': {
    programName: 'Acme Shop',
    name: 'Gold',
    since: '2026-03-01T09:30:00.000Z',
    terms: ['30 % of each sale, and of renewals for 12 months'],
  },
  'program.terms_changed': {
    programName: 'Acme Shop',
    amount: { amountCents: 5000, currency: 'eur' },
    formerly: { amountCents: 1000, currency: 'eur' },
  },
  'program.closing': {
    programName: 'Acme Shop',
    kind: 'closing',
    until: '2026-03-02T09:30:00.000Z',
    amounts: [{ amountCents: 5000, currency: 'eur' }],
    pending: [{ amountCents: 1200, currency: 'eur' }],
  },
  'customer.lost': { programName: 'Acme Shop' },
  'payout.created': payout,
  'payout.completed': payout,
  'payout.cancelled': payout,
  'payout.attention': { ...payout, reason: 'unanswered' },
  'payout.unclaimed': {
    ...payout,
    address: 'pat@partner.example',
    until: '2026-03-02T09:30:00.000Z',
  },
  'payout.not_received': {
    ...payout,
    partnerName: 'Pat Partner',
    reason: 'My bank has seen nothing since the first of the month.',
  },
  'webhook.dead_letter': endpoint,
  'webhook.disabled': endpoint,
  'stripe.events_failing': {},
  'biller.events_failing': {},
  'security.api_key_created': key,
  'security.api_key_revoked': key,
  'security.payout_provider_connected': { name: 'PayPal', mode: 'live' },
  'security.payout_provider_disconnected': { name: 'PayPal', mode: 'live' },
  'security.payout_limits_changed': { amounts: payout.amounts, kind: 'one' },
  'security.member_invited': member,
  'security.member_joined': member,
  'security.member_role_changed': member,
  'security.member_removed': member,
  'security.workspace_closing': closing,
  'security.workspace_reopened': closing,
};

const links: Partial<Record<MailType, string>> = {
  'account.verify_email': 'verify-email',
  'account.reset_password': 'reset-password',
  'member.invited': 'accept-invite',
  'partner.invited': 'partner-invite',
  'partner.added': 'claim',
};
const token = 'AZ8KHDaGfkCKURVNSjvV9mW8jxX9r3bq5GqEJr2bCsaVtY0kq7Qm4n1dLw8XoTzKs';

/** Every type of mail on each side that gets it, from example facts. */
export function exampleMails(): ExampleMail[] {
  return (Object.keys(mailTypes) as MailType[]).flatMap((type) =>
    sidesOf(type).map((side) => ({ type, side, content: write(type, side) })),
  );
}

function sidesOf(type: MailType): Side[] {
  const governed: Side[] = [
    ...(type in merchantNotifications ? (['merchant'] as const) : []),
    ...(type in partnerNotifications ? (['partner'] as const) : []),
  ];
  if (governed.length > 0) return governed;
  return [type.startsWith('member.') ? 'merchant' : 'partner'];
}

function write(type: MailType, side: Side): MailContent {
  return type === 'digest' ? exampleDigest() : exampleContent(type, side);
}

export function exampleContent(
  type: TemplateType,
  side: Side,
  params: MailParams = facts[type] ?? {},
): MailContent {
  const page = links[type];
  return templateOf(type)({
    side,
    params,
    link: page && `https://app.example/${page}?token=${token}`,
    record: {
      url: `https://app.example${recordPath({ side, type, mode: 'live' }, {})}`,
      at: new Date('2026-01-31T09:30:00.000Z'),
    },
  });
}

function exampleDigest(): MailContent {
  const cents = [1250, 480, 9900, 310];
  const lines = cents.map((amountCents) => ({
    subject: exampleContent('commission.approved', 'partner', {
      ...programme,
      amount: { amountCents, currency: 'eur' },
    }).subject,
    programName: programme.programName,
  }));
  const sums = [{ amountCents: 214_350, currency: 'eur' }];
  return digestContent({ type: 'commission.approved', lines, total: 90, sums });
}
