import { minorUnitsOf, plainSum, wholeUnitsOf } from '../../../entities/rules/imports/money';
import { rawIdOf, readRow, refuseRow, type SourceRow } from '../../../entities/rules/imports/rows';
import { momentOf } from '../../../entities/rules/imports/times';
import { toldPartnerStatusOf, toldStatusOf } from '../../../entities/rules/imports/statuses';
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
  expect(wholeUnitsOf(' 1250 ')).toBe(1250);
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
  [' 2026-01-31 ', '2026-01-31T00:00:00.000Z'],
  ['2026-02-30', undefined],
  ['2026-02-30 09:30', undefined],
  ['2026-01-31 25:30', undefined],
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
  ['𝒳'.repeat(100), true],
  ['𝒳'.repeat(101), false],
  ['\ud83d', false],
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
  ['links', { partner_id: '', token: 'a.b' }, 'FIELD_INVALID'],
  ['partners', { ...partner, partner_id: 'x'.repeat(255) }, null],
  ['customers', { partner_id: 'p1', customer_id: '' }, 'FIELD_INVALID'],
  ['links', { partner_id: 'p1', token: 'ab', kind: 'code' }, 'CODE_INVALID'],
  ['links', { partner_id: 'p1', token: 'ab', kind: 'banner' }, 'FIELD_INVALID'],
  ['customers', { partner_id: 'p1', customer_id: 'null' }, 'FIELD_INVALID'],
  ['customers', { partner_id: 'p1', customer_id: 'cus_1' }, null],
])('a row of %s with %j has the problem %s', (kind, cells, expected) => {
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
])('a row of a commission with %j has the problem %s', (cells, expected) => {
  expect(problem('commissions', { ...commission, ...cells })).toBe(expected);
});

it('takes off what an export puts before a formula', () => {
  const result = read('commissions', { ...commission, commission_id: "'=c1", note: "'+1" });
  expect(result).toMatchObject({ row: { theirId: '=c1', fields: { note: '+1' } } });
});

const fieldsOf = (kind: ImportKind, cells: SourceRow, idPrefix: string | null = null) => {
  const result = readRow(kind, cells, { ...reading, idPrefix });
  return result.ok && { ...result.row.fields, warned: result.row.warnings.map((one) => one.field) };
};

it.each<[string, SourceRow, object]>([
  ['no name, without a warning', { name: ' ' }, { name: null, warned: [] }],
  ['a name of 200 characters', { name: 'x'.repeat(200) }, { name: 'x'.repeat(200), warned: [] }],
  ['no longer one', { name: 'x'.repeat(201) }, { name: null, warned: ['name'] }],
  ['no payout address, without a warning', { payout_type: 'wise' }, { payout: null, warned: [] }],
  [
    'no payout address that is none',
    { payout_email: 'nobody' },
    { payout: null, warned: ['payout_email'] },
  ],
  [
    'a payout type in any case',
    { payout_type: 'Wise', payout_email: 'a@x.example' },
    { payout: { type: 'wise', email: 'a@x.example' }, warned: [] },
  ],
  ['no time, without a warning', {}, { createdAt: null, warned: [] }],
])('a row of a partner has %s', (_rule, cells, fields) => {
  expect(fieldsOf('partners', { ...partner, ...cells })).toMatchObject(fields);
});

const longUrl = `https://x.example/${'x'.repeat(2_030)}`;

it.each<[string, SourceRow, object]>([
  ['a token as it stands', {}, { kind: 'link', token: 'Joe', url: null, warned: [] }],
  ['a code in upper case', { kind: 'CODE' }, { kind: 'code', token: 'JOE', url: null }],
  ['its address', { url: 'HTTP://x.example/a' }, { url: 'HTTP://x.example/a', warned: [] }],
  ['an address of 2,048 characters', { url: longUrl }, { url: longUrl, warned: [] }],
  ['no longer one', { url: `${longUrl}x` }, { url: null, warned: ['url'] }],
  ['no address that no browser follows', { url: 'ftp://x' }, { url: null, warned: ['url'] }],
])('a row of a link has %s', (_rule, cells, fields) => {
  expect(fieldsOf('links', { partner_id: 'p1', token: 'Joe', ...cells })).toMatchObject(fields);
});

const customer = { partner_id: 'p1', customer_id: 'c7' };
const ids = (count: number) => Array.from({ length: count }, (_, n) => `a${n}`);
const long = 'x'.repeat(255);

it.each<[string, SourceRow, string | null, object]>([
  ['by the merchant’s id', {}, null, { customerId: 'c7', aliases: [] }],
  ['by an id of the vendor’s own', {}, 'tolt', { customerId: 'tolt:c7', aliases: [] }],
  [
    'by what they are known as here, with the vendor’s id beside it',
    { known_as: 'cus_1', aliases: 'r1' },
    'tolt',
    { customerId: 'cus_1', aliases: ['tolt:c7', 'r1'] },
  ],
  [
    'by each alias once, and none that names nobody',
    { aliases: ' a | b|| a|null ' },
    null,
    { aliases: ['a', 'b'], warned: [] },
  ],
  [
    'by aliases as they were before an export',
    { aliases: "x|'=a" },
    null,
    { aliases: ['x', '=a'], warned: [] },
  ],
  ['by an alias of 255 characters', { aliases: long }, null, { aliases: [long], warned: [] }],
  ['by no longer one', { aliases: `${long}x|a` }, null, { aliases: ['a'], warned: ['aliases'] }],
  ['by 50 aliases', { aliases: ids(50).join('|') }, null, { aliases: ids(50), warned: [] }],
  [
    'by no more of them',
    { aliases: ids(51).join('|') },
    null,
    { aliases: ids(50), warned: ['aliases'] },
  ],
])('finds a customer %s', (_rule, cells, idPrefix, fields) => {
  expect(fieldsOf('customers', { ...customer, ...cells }, idPrefix)).toMatchObject(fields);
});

it.each<[string, SourceRow, object]>([
  ['nobody’s without a customer', {}, { customerId: null, knownAs: null }],
  ['the vendor’s customer', { customer_id: 'c7' }, { customerId: 'c7', knownAs: 'tolt:c7' }],
  [
    'theirs who is known here',
    { customer_id: 'c7', known_as: 'cus_1' },
    { customerId: 'c7', knownAs: 'cus_1' },
  ],
  ['theirs who is known here alone', { known_as: 'cus_1' }, { customerId: null, knownAs: 'cus_1' }],
  ['nobody’s when the id names nobody', { customer_id: 'null' }, { customerId: null }],
  ['of an id of 255 characters', { customer_id: long }, { customerId: long }],
  ['of no longer one', { customer_id: `${long}x` }, { customerId: null, knownAs: null }],
])('a commission is %s', (_rule, cells, fields) => {
  expect(fieldsOf('commissions', { ...commission, ...cells }, 'tolt')).toMatchObject(fields);
});

it.each<[string, SourceRow, object]>([
  ['nothing where none is told', {}, { saleCents: null, saleRefundedCents: 0 }],
  ['nothing of a sale without a sum', { sale_refunded: '5' }, { saleRefundedCents: 0 }],
  ['nothing of a whole sale', { sale_amount: '9' }, { saleCents: 900, saleRefundedCents: 0 }],
  [
    'no more than the sale was',
    { sale_amount: '9', sale_refunded: '10' },
    { saleCents: 900, saleRefundedCents: 900 },
  ],
])('the refund of an imported sale is %s', (_rule, cells, fields) => {
  expect(fieldsOf('commissions', { ...commission, ...cells })).toMatchObject(fields);
});

it('keeps 500 characters of a note', () => {
  const note = '𝒳'.repeat(501);
  expect(fieldsOf('commissions', { ...commission, note })).toMatchObject({
    note: '𝒳'.repeat(500),
  });
});

it('knows a row by its id before it is read', () => {
  const idOf = (kind: ImportKind, cells: SourceRow) => rawIdOf(kind, cells);
  expect(idOf('partners', { partner_id: ' p1 ' })).toBe('p1');
  expect(idOf('links', { token: 'joe' })).toBe('link:joe');
  expect(idOf('links', { token: 'joe', kind: 'Code' })).toBe('code:JOE');
  expect(idOf('links', { token: '', kind: 'code' })).toBe('');
  expect(idOf('customers', {})).toBe('');
});

it('keeps of a row that is left out what it is known by, as far as an id goes', () => {
  const refused = { code: 'DUPLICATE_ID', message: 'An earlier row has this id.' } as const;
  const cells = { partner_id: `${long}p`, commission_id: `${long}c` };
  expect(refuseRow('commissions', cells, refused)).toEqual({
    ...{ ok: false, theirId: long, partnerId: long, problem: refused },
  });
  const whole = { partner_id: 'p1', commission_id: 'c1' };
  expect(refuseRow('commissions', whole, refused)).toMatchObject({
    ...{ theirId: 'c1', partnerId: 'p1' },
  });
});

it('compares words of a status without case and white space', () => {
  expect(toldStatusOf(' OPEN ', {})).toBe('pending');
  expect(toldStatusOf('due', { ' Due ': ' Approved ' })).toBe('approved');
});

it.each(['constructor', '__proto__', 'toString', 'x'])('knows no status %s', (word) => {
  expect([toldStatusOf(word, {}), toldPartnerStatusOf(word, {})]).toEqual([undefined, 'suspended']);
});
