import {
  chooseItems,
  payoutFiles,
  type FileItem,
  type PayoutFileFormat,
} from '../../../entities/rules/payouts/files';

const item = (fields: Partial<FileItem> = {}): FileItem => ({
  reference: 'po0k3f9a2m7q1x8w5z4b6c',
  partnerName: 'Pat',
  partnerEmail: 'pat@partner.example',
  currency: 'usd',
  amountCents: 980,
  method: { type: 'paypal', email: 'pat@pay.example' },
  ...fields,
});
const wise = { type: 'wise', email: 'pat@wise.example', name: 'Pat Wise' } as const;
const many = (count: number, fields: Partial<FileItem> = {}): FileItem[] =>
  Array.from({ length: count }, (_, n) => item({ ...fields, reference: `po${n}` }));

describe('which items a file holds', () => {
  it.each<[PayoutFileFormat, Partial<FileItem>, number]>([
    ['paypal', {}, 5_000],
    ['wise', { method: wise }, 1_000],
  ])('%s: as many as its processor takes, then further parts', (format, fields, max) => {
    const exact = many(max, fields);
    expect(chooseItems(exact, { format, part: 1 })).toMatchObject({ hasNext: false });
    const ready = many(max + 2, fields);
    const first = chooseItems(ready, { format, part: 1 });
    const second = chooseItems(ready, { format, part: 2 });
    expect([first.items.length, first.hasNext]).toEqual([max, true]);
    expect([second.items.length, second.hasNext]).toEqual([2, false]);
    expect([...first.items, ...second.items]).toEqual(ready);
    expect(chooseItems(ready, { format, part: 3 })).toMatchObject({ items: [], hasNext: false });
  });

  it('generic: every item, with or without a method, ten thousand of them', () => {
    const ready = [...many(9_999, { method: null }), item({ method: wise })];
    const { items, leftOut, hasNext } = chooseItems(ready, { format: 'generic', part: 1 });
    expect([items.length, leftOut, hasNext]).toEqual([10_000, 0, false]);
    const more = chooseItems([...ready, item()], { format: 'generic', part: 1 });
    expect([more.items.length, more.hasNext]).toEqual([10_000, true]);
  });

  it('those of its method and currency; it says what it left out, and what it would mix', () => {
    const ready = [
      item(),
      item({ currency: 'eur' }),
      item({ method: wise, currency: 'jpy' }),
      item({ method: null }),
    ];
    const all = chooseItems(ready, { format: 'paypal', part: 1 });
    expect([all.currencies, all.leftOut]).toEqual([['eur', 'usd'], 2]);
    const euros = chooseItems(ready, { format: 'paypal', part: 1, currency: 'eur' });
    expect([euros.items, euros.currencies, euros.leftOut]).toEqual([[ready[1]], ['eur'], 2]);
  });
});

describe('a row', () => {
  const note = 'March\r\n2026\n';

  it('of PayPal', () => {
    expect(payoutFiles.paypal.columns).toBeNull();
    expect(payoutFiles.paypal.rowOf(item(), { note })).toEqual([
      'pat@pay.example',
      '9.80',
      'USD',
      'po0k3f9a2m7q1x8w5z4b6c',
      'March 2026',
      'PAYPAL',
    ]);
  });

  it.each([
    [undefined, 'JPY'],
    ['eur', 'EUR'],
  ])('of Wise, from an account in %s', (sourceCurrency, source) => {
    const yen = item({ method: wise, currency: 'jpy', amountCents: 2_000 });
    expect(payoutFiles.wise.rowOf(yen, { note, sourceCurrency })).toEqual([
      'Pat Wise',
      'pat@wise.example',
      'po0k3f9a2m7q1x8w5z4b6c',
      'PERSON',
      'target',
      '2000',
      source,
      'JPY',
    ]);
  });

  it('of Wise without a method has the name that the partner goes by', () => {
    expect(payoutFiles.wise.rowOf(item({ method: null }), { note })[0]).toBe('Pat');
  });

  it('holds nothing that turns, hides or breaks what stands beside it, whatever was typed', () => {
    const name = 'Pat\u202e\n\u0007 00.01';
    const typed = item({
      partnerName: name,
      method: { ...wise, name },
    });
    const steering = { note: `\u2066${note}` };
    expect(payoutFiles.wise.rowOf(typed, steering)[0]).toBe('Pat 00.01');
    const other = item({ partnerName: name, method: { type: 'other', text: name } });
    expect(payoutFiles.generic.rowOf(other, steering)).toEqual([
      other.reference,
      'Pat 00.01',
      other.partnerEmail,
      'other',
      'Pat 00.01',
      '9.80',
      'USD',
      'March 2026',
    ]);
  });

  it('of everybody, in the order of its header', () => {
    const { columns, rowOf } = payoutFiles.generic;
    const holder = { type: 'bank', holder: 'Pat', country: 'DE', iban: 'DE02' } as const;
    const dinars = item({ method: holder, currency: 'kwd', amountCents: 1_500 });
    const cells = rowOf(dinars, { note });
    expect(Object.fromEntries((columns ?? []).map((name, at) => [name, cells[at]]))).toEqual({
      itemReference: 'po0k3f9a2m7q1x8w5z4b6c',
      partnerName: 'Pat',
      partnerEmail: 'pat@partner.example',
      method: 'bank',
      recipient: 'Pat DE DE02',
      amount: '1.500',
      currency: 'KWD',
      reference: 'March 2026',
    });
    expect(rowOf(item({ method: null }), { note }).slice(3, 5)).toEqual(['', '']);
  });
});
