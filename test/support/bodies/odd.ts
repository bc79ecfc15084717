import type { Json } from './odd-input';
import type { World } from '../world';

const password = 'correct horse battery';
const rule = {
  name: 'Gold',
  match: {
    eventTypes: ['sale'],
    currencies: ['usd'],
    minAmountCents: 1,
    maxAmountCents: 9,
    productIds: ['p'],
    productMatch: 'any',
    metadata: { plan: ['pro'] },
    customerMonths: { from: 0, to: 11 },
    paymentNumbers: { from: 1, to: 2 },
    customerSince: { from: '2026-01-01T00:00:00Z', to: '2026-02-01T00:00:00Z' },
  },
  type: 'percentage',
  rateBps: 100,
  basis: 'gross',
  holdDays: 1,
  autoApprove: true,
};
const commission = { type: 'percentage', rateBps: 100, recurring: true, recurringMonths: 12 };
const sale = {
  external_transaction_id: 'x',
  event_type: 'purchase',
  promo_code: 'NONE',
  amount_cents: 100,
  currency: 'usd',
  occurred_at: '2026-01-01T00:00:00Z',
};

/** Where a field alone would be refused for what is not beside it, what goes beside it. */
export const fullBodies = (world: World): Record<string, Json> => ({
  replaceCommissionRules: { rules: [rule] },
  backTestCommissionRules: { rules: [rule], dateFrom: '2026-01-01', dateTo: '2026-01-02' },
  replaceTiers: {
    metric: 'customers',
    steps: [{ atLeast: 1, groupId: world.id('groupId', '/groups/:groupId') }],
  },
  replaceBonuses: {
    bonuses: [
      { name: 'Ten', metric: 'customers', atLeast: 10, window: { from: null }, amountCents: 1 },
    ],
  },
  createGroup: { name: 'Odd', commission },
  createProgram: { name: 'P', websiteUrl: 'https://shop.example', commission },
  updateProgram: { commission },
  reportConversion: sale,
  dryRunConversion: sale,
  signUpCustomer: { customer_id: 'x', promo_code: 'NONE', occurred_at: '2026-01-01T00:00:00Z' },
  createPayout: { programId: world.programId },
  previewPayout: { programId: world.programId },
  bindCustomer: {
    participantId: world.id('participantId', '/partners/:participantId'),
    reason: 'A reason',
  },
  bulkApproveCommissions: {
    commissionIds: [world.id('commissionId', '/commissions/:commissionId')],
  },
  registerMerchant: { email: 'odd@example.com', password, name: 'Odd', workspaceName: 'Odd' },
  registerPartner: { email: 'odd@example.com', password, name: 'Odd' },
  loginMerchant: { email: 'odd@example.com', password },
  loginPartner: { email: 'odd@example.com', password },
  acceptMemberInvite: { token: 'x', password, name: 'Odd' },
  resetPasswordMerchant: { token: 'x', password },
  resetPasswordPartner: { token: 'x', password },
});
