import { recordPath } from '../../../entities/rules/notifications/record-path';

const ids = {
  commissionId: 'c',
  conversionId: 'v',
  endpointId: 'e',
  participantId: 'p',
  payoutId: 'o',
  programId: 'g',
};

it.each([
  ['merchant', 'conversion.fraud_detected', '/app/sales/v?mode=live'],
  ['merchant', 'commission.needs_review', '/app/commissions/g/c?mode=live'],
  ['merchant', 'participant.applied', '/app/partners/g/p?mode=live'],
  ['merchant', 'payout.completed', '/app/payouts/o?mode=live'],
  ['merchant', 'webhook.disabled', '/app/developers/webhooks/e?mode=live'],
  ['merchant', 'stripe.events_failing', '/app/developers?mode=live'],
  ['partner', 'commission.approved', '/portal/earnings/c?mode=live'],
  ['partner', 'participant.approved', '/portal/programmes?mode=live'],
  ['partner', 'payout.created', '/portal/payouts?mode=live'],
] as const)('the record of a %s, %s, is shown at %s', (side, type, path) => {
  expect(recordPath({ side, type, mode: 'live' }, ids)).toBe(path);
});

it('the path is the list when an id is missing, and names no mode where there is none', () => {
  const type = 'commission.needs_review';
  expect(recordPath({ side: 'merchant', type, mode: 'test' }, { programId: 'g' })).toBe(
    '/app/commissions?mode=test',
  );
  const security = { side: 'partner', type: 'security.password_changed', mode: null } as const;
  expect(recordPath(security, {})).toBe('/portal/settings');
});
