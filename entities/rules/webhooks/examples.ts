import type { EventEnvelope } from './envelope';
import { objectKindOf, type WebhookEventKind } from './events';
import type {
  CommissionObject,
  CommissionSummaryObject,
  ConversionObject,
  EventObject,
  EventRecords,
  FraudFlagObject,
  ParticipantObject,
  PayoutObject,
  WebhookObject,
} from './objects';

/** Records as events carry them: for the test ping and for the OpenAPI document. */

const ids = {
  conversion: '01920d3c-5f00-7000-8000-00000000c001',
  commission: '01920d3c-5f00-7000-8000-00000000c002',
  participant: '01920d3c-5f00-7000-8000-00000000c003',
  payout: '01920d3c-5f00-7000-8000-00000000c004',
  payoutItem: '01920d3c-5f00-7000-8000-00000000c010',
  program: '01920d3c-5f00-7000-8000-00000000c005',
  click: '01920d3c-5f00-7000-8000-00000000c006',
  partner: '01920d3c-5f00-7000-8000-00000000c007',
  group: '01920d3c-5f00-7000-8000-00000000c011',
  endpoint: '01920d3c-5f00-7000-8000-00000000c008',
  event: '01920d3c-5f00-7000-8000-00000000c009',
};

const happenedAt = '2026-01-31T09:30:00.000Z';
const holdUntil = '2026-03-02T09:30:00.000Z';

const pending: CommissionSummaryObject = {
  id: ids.commission,
  status: 'pending',
  amount_cents: 1_000,
  currency: 'usd',
  hold_until: holdUntil,
  needs_review: false,
};

const conversion: ConversionObject = {
  id: ids.conversion,
  external_transaction_id: 'order_1001',
  attributed: true,
  attribution: {
    reason: 'ATTRIBUTED',
    explanation: 'The click led to this purchase within its window.',
    matched_by: 'click',
    click_id: ids.click,
    promo_code: null,
    program_id: ids.program,
    participant_id: ids.participant,
    window_ends_at: '2026-02-28T09:00:00.000Z',
  },
  commission: pending,
  event_type: 'purchase',
  amount_cents: 10_000,
  currency: 'usd',
  occurred_at: happenedAt,
  customer_id: 'cus_42',
  metadata: { plan: 'pro' },
  items: null,
  source: 'api',
  refunded_amount_cents: 0,
  mode: 'test',
  created_at: happenedAt,
};

const commission: CommissionObject = {
  id: ids.commission,
  program_id: ids.program,
  participant_id: ids.participant,
  conversion_id: ids.conversion,
  external_transaction_id: 'order_1001',
  status: 'pending',
  commission_type: 'percentage',
  amount_cents: 1_000,
  original_amount_cents: 1_000,
  refunded_amount_cents: 0,
  currency: 'usd',
  conversion_amount_cents: 10_000,
  needs_review: false,
  review_reasons: [],
  hold_until: holdUntil,
  approved_at: null,
  rejected_at: null,
  paid_at: null,
  refunded_at: null,
  payout_id: null,
  created_at: happenedAt,
  updated_at: happenedAt,
};

const participant: ParticipantObject = {
  id: ids.participant,
  program_id: ids.program,
  partner_gpa_id: ids.partner,
  partner_name: 'Anna Example',
  status: 'approved',
  status_reason: null,
  message: 'I write about gardening.',
  referral_code: 'anna',
  promo_codes: ['ANNA10'],
  group_id: ids.program,
  group_name: 'Default',
  created_at: happenedAt,
  approved_at: happenedAt,
};

const payout: PayoutObject = {
  id: ids.payout,
  program_id: ids.program,
  status: 'processing',
  reference: 'January',
  items: [
    {
      id: ids.payoutItem,
      status: 'ready',
      participant_id: ids.participant,
      currency: 'usd',
      amount_cents: 1_000,
      commission_count: 1,
      provider: null,
    },
  ],
  created_at: happenedAt,
  completed_at: null,
  cancelled_at: null,
};

const webhook: WebhookObject = {
  id: ids.endpoint,
  url: 'https://shop.example/hooks',
  events: ['*'],
  active: true,
  mode: 'test',
};

const records: EventRecords = {
  conversion,
  commission,
  participant,
  payout,
  webhook,
};

const flag: FraudFlagObject = { rule: 'click_velocity', action: 'flag', value: 41, threshold: 30 };
const settledAt = '2026-03-02T09:30:00.000Z';

/** What differs from the record above in each kind. */
const changes: { [K in WebhookEventKind]?: Partial<EventObject<K>> } = {
  'conversion.refunded': {
    refunded_amount_cents: 2_500,
    commission: { ...pending, amount_cents: 750 },
  },
  'conversion.fraud_detected': { fraud_flags: [flag] },
  'commission.approved': { status: 'approved', approved_at: settledAt },
  'commission.rejected': { status: 'rejected', rejected_at: settledAt },
  'commission.refunded': { amount_cents: 750, refunded_amount_cents: 250, refunded_at: settledAt },
  'commission.paid': {
    status: 'paid',
    approved_at: settledAt,
    paid_at: settledAt,
    payout_id: ids.payout,
  },
  'commission.updated': { needs_review: true, review_reasons: ['DISPUTED'] },
  'participant.applied': { status: 'pending', approved_at: null },
  'participant.rejected': {
    status: 'rejected',
    status_reason: 'Not a fit for our programme.',
    approved_at: null,
  },
  'participant.suspended': { status: 'suspended', status_reason: 'Bids on our brand name.' },
  'participant.moved': { group_id: ids.group, group_name: 'Gold', from_group_id: ids.program },
  'participant.erased': {
    partner_name: 'Erased partner',
    referral_code: '',
    message: null,
    promo_codes: [],
    open_balances: [{ currency: 'usd', pending_cents: 0, approved_cents: 12_000 }],
  },
  'payout.completed': {
    status: 'completed',
    completed_at: settledAt,
    items: payout.items.map((item) => ({ ...item, status: 'paid' })),
  },
  'payout.cancelled': {
    status: 'cancelled',
    cancelled_at: settledAt,
    items: payout.items.map((item) => ({ ...item, status: 'cancelled' })),
  },
  'payout.item_returned': {
    status: 'completed',
    completed_at: settledAt,
    items: payout.items.map((item) => ({ ...item, status: 'returned' })),
  },
  'payout.item_updated': {
    status: 'completed',
    completed_at: settledAt,
    items: payout.items.map((item) => ({ ...item, status: 'paid', provider: 'paypal' })),
  },
};

/** `data.object` of an event of this kind, as it could be. */
export function exampleObject<K extends WebhookEventKind>(kind: K): EventObject<K> {
  return { ...records[objectKindOf(kind)], ...changes[kind] } as EventObject<K>;
}

/** A whole event of this kind, as it could be. */
export function exampleEvent(kind: WebhookEventKind): EventEnvelope {
  return {
    id: `evt_${ids.event}`,
    type: kind,
    api_version: 'v1',
    mode: 'test',
    created_at: happenedAt,
    sequence: 1_024,
    ...(kind === 'webhook.test' && { test: true as const }),
    data: { object: exampleObject(kind) },
  };
}
