import {
  maskedLabel,
  shownMethod,
  type PayoutMethod,
} from '../../../entities/rules/payouts/method';

const iban = 'DE02120300000000203000';
const bank = { type: 'bank', holder: 'Pat', country: 'DE' } as const;

it.each<[PayoutMethod, string]>([
  [{ type: 'paypal', email: 'pat@example.com' }, 'PayPal, p***@example.com'],
  [{ type: 'wise', email: 'pat@example.com', name: 'Pat' }, 'Wise, p***@example.com'],
  [{ ...bank, iban }, 'Bank, DE ...3000'],
  [
    { ...bank, country: 'US', accountNumber: '000123456789', routingNumber: '1' },
    'Bank, US ...6789',
  ],
  [{ ...bank, accountNumber: '1234', routingNumber: '1' }, 'Bank, DE ...'],
  [{ type: 'other', text: 'Cash, at the door' }, 'Other'],
])('%j is masked as %s', (method, label) => {
  expect(maskedLabel(method)).toBe(label);
});

it('shows partners their e-mail, and the end of an account number', () => {
  const paypal = { type: 'paypal', email: 'pat@example.com' } as const;
  expect(shownMethod(paypal)).toEqual(paypal);
  expect(shownMethod({ ...bank, iban })).toEqual({ ...bank, iban: '...3000' });
});
