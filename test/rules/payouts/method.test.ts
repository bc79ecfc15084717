import {
  maskedLabel,
  recipientOf,
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
  [{ ...bank, accountNumber: '12345', routingNumber: '1' }, 'Bank, DE ...2345'],
  [{ ...bank, accountNumber: '1234', routingNumber: '1' }, 'Bank, DE ...'],
  [{ type: 'other', text: 'Cash, at the door' }, 'Other'],
])('%j is masked as %s', (method, label) => {
  expect(maskedLabel(method)).toBe(label);
});

it('shows partners their e-mail, and the end of an account number', () => {
  const paypal = { type: 'paypal', email: 'pat@example.com' } as const;
  expect(shownMethod(paypal)).toBe(paypal);
  expect(shownMethod({ ...bank, iban })).toEqual({ ...bank, iban: '...3000' });
});

it('shows the rest of an account, and nothing that it does not have', () => {
  const account = { ...bank, accountNumber: '000123456789', routingNumber: '021', bic: 'AAAABBCC' };
  expect(shownMethod(account)).toEqual({ ...account, accountNumber: '...6789' });
  expect(Object.keys(shownMethod({ ...bank, iban }))).not.toContain('accountNumber');
  expect(Object.keys(shownMethod(account))).not.toContain('iban');
  expect(shownMethod({ type: 'other', text: 'Cash' })).toEqual({ type: 'other', text: 'Cash' });
});

it.each<[PayoutMethod, string]>([
  [{ type: 'paypal', email: 'pat@example.com' }, 'pat@example.com'],
  [{ type: 'wise', email: 'pat@example.com', name: 'Pat' }, 'pat@example.com'],
  [{ ...bank, iban, bic: 'AAAABBCC' }, `Pat DE ${iban} AAAABBCC`],
  [{ ...bank, accountNumber: '1', routingNumber: '2' }, 'Pat DE 1 2'],
  [{ type: 'other', text: 'Cash' }, 'Cash'],
])('%j is one line for who pays', (method, line) => {
  expect(recipientOf(method)).toBe(line);
});
