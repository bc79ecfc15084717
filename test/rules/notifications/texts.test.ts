import { notificationText } from '../../../entities/rules/notifications/text';
import type { NotificationFacts } from '../../../entities/rules/notifications/facts';
import type { NotificationType } from '../../../entities/rules/notifications/types';

type Row = [type: NotificationType, facts: NotificationFacts, title: string, body: string];

const amount = { amountCents: 1_250, currency: 'eur' };
const sale: NotificationFacts = { programName: 'Tea', partnerName: 'Ada', amount };

const merchantRows: Row[] = [
  ['conversion.created', {}, 'New conversion', 'It was not attributed to a partner.'],
  ['conversion.created', sale, 'New conversion of EUR 12.50', 'Ada brought it to Tea.'],
  [
    'conversion.created',
    { ...sale, partnerName: '\u05d0\u05d3\u05d4' },
    'New conversion of EUR 12.50',
    '\u2068\u05d0\u05d3\u05d4\u2069 brought it to Tea.',
  ],
  [
    'conversion.fraud_detected',
    {},
    'A conversion looks like fraud',
    'by A partner in your programme.',
  ],
  [
    'conversion.fraud_detected',
    { ...sale, rules: ['bot_click', 'click_velocity'] },
    'A conversion looks like fraud',
    'EUR 12.50 by Ada in Tea. What was seen: a program made the click; many clicks came from one address.',
  ],
  [
    'commission.needs_review',
    {},
    'A commission needs your review',
    'a commission for A partner in your programme.',
  ],
  [
    'commission.refunded',
    sale,
    'A commission was reduced by a refund',
    'EUR 12.50 remain for Ada in Tea.',
  ],
  [
    'webhook.dead_letter',
    {},
    'A webhook could not be delivered',
    'A delivery to an endpoint has used up all its attempts.',
  ],
  [
    'webhook.dead_letter',
    { url: 'https://shop.example/' },
    'A webhook could not be delivered',
    'A delivery to https://shop.example/ has used up all its attempts.',
  ],
  [
    'webhook.disabled',
    {},
    'A webhook endpoint was disabled',
    'Nothing is delivered to it until it is activated again.',
  ],
  [
    'webhook.disabled',
    { url: 'https://shop.example/', reason: 'Gone.' },
    'A webhook endpoint was disabled',
    'Nothing is delivered to https://shop.example/ until it is activated again. Reason: Gone.',
  ],
  [
    'stripe.events_failing',
    {},
    'Events from Stripe fail',
    'An event could not be processed. Check the Stripe connection.',
  ],
  [
    'stripe.events_failing',
    { waiting: 1 },
    'Events from Stripe wait',
    '1 event could not be told to a sale for more than a day: refunds, disputes or promotion codes. Check the Stripe connection.',
  ],
  [
    'stripe.events_failing',
    { waiting: 2 },
    'Events from Stripe wait',
    '2 events could not be told to a sale for more than a day: refunds, disputes or promotion codes. Check the Stripe connection.',
  ],
  ['payout.completed', {}, 'A payout is completed', ' to 0 partners of your programme.'],
  [
    'payout.completed',
    { programName: 'Tea', amounts: [amount], partners: 1 },
    'A payout is completed',
    'EUR 12.50 to 1 partner of Tea.',
  ],
  [
    'payout.completed',
    { amounts: [amount, { amountCents: 500, currency: 'jpy' }], partners: 2 },
    'A payout is completed',
    'EUR 12.50 and JPY 500 to 2 partners of your programme.',
  ],
  [
    'security.api_key_created',
    {},
    'An API key was created',
    'A  key for  mode, .... If it was none of your team, revoke it.',
  ],
  [
    'security.api_key_created',
    { kind: 'secret', mode: 'live', name: 'Shop', prefix: 'sk_live_x' },
    'An API key was created',
    'A secret key "Shop" for live mode, sk_live_x.... If it was none of your team, revoke it.',
  ],
  ['security.member_joined', {}, 'A member joined', 'A member joined as member.'],
  [
    'security.member_joined',
    { memberEmail: 'mia@shop.example', role: 'admin' },
    'A member joined',
    'mia@shop.example joined as admin.',
  ],
  [
    'security.workspace_closing',
    { until: '2026-03-02T09:30:00.000Z' },
    'Your workspace will be closed',
    'On 2026-03-02 (UTC) its data is deleted and nobody can sign in any more. Until then an owner can take it back in the settings, and everything goes on.',
  ],
  [
    'security.workspace_reopened',
    { name: 'Acme' },
    'Acme will not be closed',
    'An owner has taken it back. Nothing was deleted.',
  ],
];

const mine: NotificationFacts = { programName: 'Tea', amount };
const adjusted: NotificationFacts = { ...mine, adjusted: true };

const partnerRows: Row[] = [
  [
    'participant.rejected',
    { programName: 'Tea', reason: 'Not\u202e now\u0007' },
    'Your application to Tea was not accepted',
    'Reason: Not now',
  ],
  [
    'participant.rejected',
    { programName: 'Tea', reason: '\u05d0\u05d3\u05d4' },
    'Your application to Tea was not accepted',
    'Reason: \u2068\u05d0\u05d3\u05d4\u2069',
  ],
  [
    'program.closing',
    {
      programName: 'Tea',
      kind: 'closing',
      until: '2026-03-02T09:30:00.000Z',
      amounts: [amount],
      pending: [amount],
    },
    'Tea will be closed',
    `On 2026-03-02 (UTC) the programme ends and its data is deleted. EUR 12.50 is owed to you, and EUR 12.50 is pending. Ask the programme to pay it before that day. It may still be taken back; then you are told.`,
  ],
  [
    'program.closing',
    { programName: 'Tea', kind: 'reopened', until: '2026-03-02T09:30:00.000Z' },
    'Tea will not be closed',
    'The end on 2026-03-02 (UTC) is taken back, and everything goes on.',
  ],
  [
    'participant.rejected',
    {},
    'Your application to your programme was not accepted',
    'You will not earn commissions in this programme.',
  ],
  [
    'participant.suspended',
    { programName: 'Tea', reason: 'Spam.' },
    'Your partnership with Tea is suspended',
    'Reason: Spam.',
  ],
  [
    'commission.created',
    mine,
    'You earned EUR 12.50',
    'A sale in Tea was attributed to you. The commission waits for approval.',
  ],
  [
    'commission.created',
    { ...mine, atOnce: true },
    'You earned EUR 12.50',
    'A sale in Tea was attributed to you. The commission is approved.',
  ],
  [
    'commission.approved',
    mine,
    'Your commission of EUR 12.50 is approved',
    'It is part of the next payout of Tea.',
  ],
  [
    'commission.approved',
    { ...mine, atOnce: true },
    'You earned EUR 12.50, and it is approved',
    'A sale was attributed to you. It is part of the next payout of Tea.',
  ],
  [
    'commission.approved',
    adjusted,
    'Your balance was adjusted by EUR 12.50',
    'Tea did so by hand; the reason stands with your earnings.',
  ],
  [
    'commission.rejected',
    mine,
    'Your commission of EUR 12.50 was rejected',
    'It was for a sale in Tea.',
  ],
  [
    'commission.rejected',
    adjusted,
    'An adjustment of your balance by EUR 12.50 was taken back',
    'It was made in Tea.',
  ],
  [
    'commission.refunded',
    mine,
    'A sale of yours was refunded',
    'Your commission in Tea is now EUR 12.50.',
  ],
  [
    'commission.refunded',
    { ...mine, undone: true },
    'A refund of a sale of yours has failed',
    'Your commission in Tea is again EUR 12.50.',
  ],
  [
    'commission.paid',
    mine,
    'Your commission of EUR 12.50 is paid',
    'It was part of a payout of Tea.',
  ],
  [
    'commission.paid',
    adjusted,
    'The adjustment of your balance by EUR 12.50 is settled',
    'It was part of a payout of Tea.',
  ],
];

it.each(merchantRows)('%s with %j tells a merchant: %s', (type, facts, title, body) => {
  expect(notificationText('merchant', type, facts)).toEqual({ title, body });
});

it.each(partnerRows)('%s with %j tells a partner: %s', (type, facts, title, body) => {
  expect(notificationText('partner', type, facts)).toEqual({ title, body });
});
