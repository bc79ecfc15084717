import { minorUnitsOf, plainSum, wholeUnitsOf } from '../../../entities/rules/imports/money';
import { readRow, type SourceRow } from '../../../entities/rules/imports/rows';
import { momentOf } from '../../../entities/rules/imports/times';
import { isImportedToken } from '../../../entities/rules/imports/token';
import type { ImportKind } from '../../../entities/rules/imports/kinds';

const reading = { currency: 'usd', statuses: { Due: 'approved', blocked: 'suspended' } };
const read = (kind: ImportKind, cells: SourceRow) => readRow(kind, cells, reading);
const problem = (kind: ImportKind, cells: SourceRow): string | null => {
  const result = read(kind, cells);
  return result.ok ? null : result.problem.code;
};

it.each([
  ['12', 'usd', 1200],
  ['12.3', 'usd', 1230],
  ['12.34', 'usd', 1234],
  ['0.01', 'usd', 1],
  ['-0', 'usd', 0],
  ['500', 'jpy', 500],
  ['1.234', 'bhd', 1234],
  [' 7.50 ', 'usd', 750],
  ['10000000000.00', 'usd', 1_000_000_000_000],
  ['12.345', 'usd', undefined],
  ['500.5', 'jpy', undefined],
  ['1,234.00', 'usd', undefined],
  ['12,30', 'usd', undefined],
  ['$12', 'usd', undefined],
  ['1e3', 'usd', undefined],
  ['', 'usd', undefined],
  ['.5', 'usd', undefined],
  ['5.', 'usd', undefined],
  ['10000000000.01', 'usd', undefined],
  ['-1', 'usd', undefined],
])('%s %s is %s minor units', (text, currency, expected) => {
  expect(minorUnitsOf(text, { currency })).toBe(expected);
});

it('takes a minus where one makes sense, and whole minor units without a dot', () => {
  expect(minorUnitsOf('-4.90', { currency: 'usd', signed: true })).toBe(-490);
  expect(wholeUnitsOf('1250')).toBe(1250);
  expect(wholeUnitsOf('12.50')).toBeUndefined();
  expect(wholeUnitsOf('-3')).toBeUndefined();
});

it('writes a sum as it reads it', () => {
  const told = [5, -5, 123_456, 0].map((cents) => plainSum(cents, 'usd'));
  expect(told).toEqual(['0.05', '-0.05', '1234.56', '0.00']);
  expect(plainSum(500, 'jpy')).toBe('500');
  expect(plainSum(-1_500, 'bhd')).toBe('-1.500');
});

it.each([
  ['2026-01-31', '2026-01-31T00:00:00.000Z'],
  ['2026-01-31T09:30:00Z', '2026-01-31T09:30:00.000Z'],
  ['2026-01-31 09:30', '2026-01-31T09:30:00.000Z'],
  ['2026-01-31 09:30:15 UTC', '2026-01-31T09:30:15.000Z'],
  ['2026-01-31 09:30:15+02:00', '2026-01-31T07:30:15.000Z'],
  ['2026-02-30', undefined],
  ['31/01/2026', undefined],
  ['soon', undefined],
])('%s is %s', (text, expected) => {
  expect(momentOf(text)?.toISOString()).toBe(expected);
});

it.each([
  ['a', true],
  ['joe.smith', true],
  ['x'.repeat(100), true],
  ['日本', true],
  ['a b', true],
  ['', false],
  ['x'.repeat(101), false],
  ['a\tb', false],
])('a token %j: %s', (token, expected) => {
  expect(isImportedToken(token)).toBe(expected);
});

const partner = { partner_id: 'p1', email: 'Pat@Example.COM', name: 'Pat', status: 'active' };

it('reads a partner', () => {
  const result = read('partners', {
    ...partner,
    payout_email: 'PAT.pay@example.com',
    created_at: '2024-05-01',
  });
  expect(result).toMatchObject({
    ok: true,
    row: {
      theirId: 'p1',
      partnerId: 'p1',
      fields: {
        email: 'pat@example.com',
        name: 'Pat',
        status: 'active',
        payout: { type: 'paypal', email: 'pat.pay@example.com' },
        createdAt: new Date('2024-05-01T00:00:00.000Z'),
      },
      warnings: [],
    },
  });
});

it.each([
  ['', 'active'],
  ['Approved', 'active'],
  ['PENDING', 'pending'],
  ['rejected', 'rejected'],
  ['disabled', 'suspended'],
  ['blocked', 'suspended'],
])('a partner who is called %j is %s', (status, expected) => {
  expect(read('partners', { ...partner, status })).toMatchObject({
    row: { fields: { status: expected } },
  });
});

it('leaves empty with a warning what nothing needs and nobody can read', () => {
  const odd = { payout_type: 'iban', payout_email: 'x@example.com', created_at: 'yesterday' };
  const result = read('partners', { ...partner, ...odd, name: 'a\u202eb' });
  expect(result).toMatchObject({
    row: {
      fields: { name: null, payout: null, createdAt: null },
      warnings: [{ field: 'name' }, { field: 'payout_type' }, { field: 'created_at' }],
    },
  });
});

it.each<[ImportKind, SourceRow, string | null]>([
  ['partners', { ...partner, email: 'nobody' }, 'EMAIL_INVALID'],
  ['partners', { ...partner, partner_id: '' }, 'FIELD_INVALID'],
  ['partners', { ...partner, partner_id: 'x'.repeat(256) }, 'FIELD_INVALID'],
  ['links', { partner_id: 'p1', token: 'a.b' }, null],
  ['links', { partner_id: 'p1', token: '' }, 'TOKEN_INVALID'],
  ['links', { partner_id: 'p1', token: 'ab', kind: 'code' }, 'CODE_INVALID'],
  ['links', { partner_id: 'p1', token: 'ab', kind: 'banner' }, 'FIELD_INVALID'],
  ['customers', { partner_id: 'p1', customer_id: 'null' }, 'FIELD_INVALID'],
  ['customers', { partner_id: 'p1', customer_id: 'cus_1' }, null],
])('of %s %j says %s', (kind, cells, expected) => {
  expect(problem(kind, cells)).toBe(expected);
});

const commission = {
  commission_id: 'c1',
  partner_id: 'p1',
  amount: '20.00',
  currency: 'USD',
  status: 'open',
  occurred_at: '2026-01-05',
};

it('reads a commission', () => {
  const told = { sale_id: 'ch_1 | in_1|ch_1', sale_amount: '100', sale_refunded: '25.00' };
  const result = read('commissions', { ...commission, ...told, customer_id: 'cus_1' });
  expect(result).toMatchObject({
    row: {
      theirId: 'c1',
      fields: {
        customerId: 'cus_1',
        saleIds: ['ch_1', 'in_1'],
        saleCents: 10_000,
        saleRefundedCents: 2_500,
        amountCents: 2_000,
        currency: 'usd',
        status: 'pending',
      },
    },
  });
});

it.each<[SourceRow, string | null]>([
  [{ amount: '20.001' }, 'MONEY_INVALID'],
  [{ amount: '' }, 'MONEY_INVALID'],
  [{ amount: '', amount_cents: '2000' }, null],
  [{ amount: '-5.00' }, null],
  [{ sale_amount: '-5.00' }, 'MONEY_INVALID'],
  [{ sale_refunded: '1,5' }, 'MONEY_INVALID'],
  [{ currency: 'points' }, 'CURRENCY_UNKNOWN'],
  [{ currency: '' }, null],
  [{ status: 'Due' }, null],
  [{ status: 'late' }, 'STATUS_UNKNOWN'],
  [{ occurred_at: 'once' }, 'FIELD_INVALID'],
  [{ due_at: 'once' }, null],
])('of a commission with %j says %s', (cells, expected) => {
  expect(problem('commissions', { ...commission, ...cells })).toBe(expected);
});

it('takes off what an export puts before a formula', () => {
  const result = read('commissions', { ...commission, commission_id: "'=c1", note: "'+1" });
  expect(result).toMatchObject({ row: { theirId: '=c1', fields: { note: '+1' } } });
});
