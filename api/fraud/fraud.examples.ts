import { plainAddressRules, standardFraudRules } from '../../entities/rules/fraud/fraud';

export const fraudFlagExample = {
  id: '01890a5e-1111-7000-8000-000000000001',
  rule: 'click_velocity',
  action: 'flag',
  value: 42,
  threshold: 30,
  state: 'open',
  note: null,
  resolvedAt: null,
  participantId: '01890a5d-0000-7000-8000-000000000002',
  partnerName: 'Anna Partner',
  conversion: {
    id: '01890a5d-ac96-774b-bcce-b302099a8057',
    externalTransactionId: 'order_1001',
    eventType: 'purchase',
    amountCents: 4900,
    currency: 'usd',
    attributed: true,
    reason: 'ATTRIBUTED',
    occurredAt: '2026-01-31T09:31:00.000Z',
    createdAt: '2026-01-31T09:31:00.000Z',
  },
  commission: {
    id: '01890a5d-ac97-7b1c-9d2e-3f4a5b6c7d8e',
    status: 'pending',
    amountCents: 980,
    currency: 'usd',
    needsReview: false,
  },
  createdAt: '2026-01-31T09:31:00.000Z',
};

export const resolvedFlagExample = {
  ...fraudFlagExample,
  state: 'dismissed',
  note: 'A colleague of the partner, agreed by phone.',
  resolvedAt: '2026-02-01T08:00:00.000Z',
};

export const backTestExample = {
  conversions: 120,
  byRule: standardFraudRules.map((rule) => ({
    rule,
    hits: plainAddressRules.includes(rule) ? null : 2,
  })),
  byAction: [
    { action: 'flag', count: 6 },
    { action: 'hold', count: 0 },
    { action: 'reject', count: 1 },
  ],
};
