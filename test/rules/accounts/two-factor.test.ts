import { readCode, twoFactor } from '../../../entities/rules/accounts/two-factor';

it.each([
  ['123456', { kind: 'totp', code: '123456' }],
  [' 123 456 ', { kind: 'totp', code: '123456' }],
  ['000-000', { kind: 'totp', code: '000000' }],
  ['12345', { kind: 'recovery', code: '12345' }],
  ['1234567', { kind: 'recovery', code: '1234567' }],
  ['١٢٣٤٥٦', { kind: 'recovery', code: '١٢٣٤٥٦' }],
  ['K3VD-8xqm t2hz', { kind: 'recovery', code: 'k3vd8xqmt2hz' }],
  ['-', { kind: 'recovery', code: '' }],
])('reads %j', (typed, code) => {
  expect(readCode(typed)).toEqual(code);
});

it('a code is what every authenticator app makes: six digits, 30 seconds, one step of drift; ten recovery codes', () => {
  expect(twoFactor).toEqual({ stepSeconds: 30, drift: 1, digits: 6, recoveryCodes: 10 });
});
