import { copies } from '../../../entities/rules/erasure/copies';
import { code, placeholder, quoted } from '../../../entities/rules/erasure/treatments';

it('overwrite the rows that are the person in the transaction of no return, and nothing else', () => {
  const pivots = copies.filter(({ isPivot }) => isPivot === true);
  expect(pivots.map(({ of, table }) => [of, table])).toEqual([
    ['participant', 'participants'],
    ['account', 'partner_accounts'],
  ]);
});

it('tell a placeholder by its value, or by a condition of its own', () => {
  expect(placeholder(quoted('Erased'))).toStrictEqual({ rule: 'placeholder', value: `'Erased'` });
  expect(placeholder('x', 'y')).toStrictEqual({ rule: 'placeholder', value: 'x', dirty: 'y' });
  expect(code('id').value).toBe(`'erased-' || replace(id::text, '-', '')`);
});
