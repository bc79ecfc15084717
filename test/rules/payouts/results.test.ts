import fc from 'fast-check';
import { amountText } from '../../../entities/rules/payouts/files';
import type { ResultItem } from '../../../entities/rules/payouts/judged-results';
import { resultReader } from '../../../entities/rules/payouts/results';
import { itemAfter, ownRows, judgeResults } from '../../support/payout-reports';

describe('an amount in a file', () => {
  it.each([
    [980, 'usd', '9.80'],
    [5, 'usd', '0.05'],
    [980, 'jpy', '980'],
    [980, 'kwd', '0.980'],
  ])('%s of %s is %s', (amountCents, currency, text) => {
    expect(amountText({ amountCents, currency })).toBe(text);
  });
});

const item = (fields: Partial<ResultItem> = {}): ResultItem => ({
  id: 'a',
  reference: 'poa',
  email: 'a@x.example',
  currency: 'usd',
  amountCents: 2_000,
  status: 'ready',
  transactionId: null,
  reports: [],
  ...fields,
});

describe('a report of PayPal', () => {
  const header = ['To Email Address', 'Currency', 'Gross', 'Status', 'Transaction ID'];
  const read = resultReader(header);
  const judged = (items: ResultItem[], ...cells: string[][]) =>
    judgeResults(
      items,
      cells
        .map((row, index) => read?.({ line: index + 2, cells: row }))
        .filter((row) => row !== undefined),
    );

  it('finds the one item of that address, currency and amount', () => {
    const row = ['A@x.example', 'USD', '-20.00', 'Completed', 'T'];
    expect(judged([item()], row).changes).toMatchObject([{ itemId: 'a', to: 'paid' }]);
    expect(judged([item(), item({ id: 'b' })], row).problems).toHaveLength(1);
    expect(judged([item({ currency: 'eur' })], row).problems).toHaveLength(1);
    const large = ['a@x.example', 'USD', '-1,234.50', 'Completed', 'T'];
    expect(judged([item({ amountCents: 123_450 })], large).changes).toHaveLength(1);
  });

  it('finds nothing by address when it names an item, or a payment, of something else', () => {
    const named = resultReader([...header, 'Custom Number']);
    const row = ['a@x.example', 'USD', '-20.00', 'Completed', 'T'];
    const judge = (reference: string) => {
      const result = named?.({ line: 2, cells: [...row, reference] });
      return judgeResults([item()], result ? [result] : []);
    };
    for (const reference of ['pob', 'invoice 7']) {
      expect(judge(reference)).toMatchObject({ changes: [], problems: [{ line: 2 }] });
    }
    expect(judge('poa').changes).toMatchObject([{ itemId: 'a', to: 'paid' }]);
    expect(judge(' ').changes).toMatchObject([{ itemId: 'a', to: 'paid' }]);
  });

  it('is read by what its columns are called, or not at all', () => {
    expect(resultReader(['Status'])).toBeUndefined();
    expect(resultReader(['itemReference'])).toBeUndefined();
    expect(resultReader([' STATUS ', 'itemreference'])).toBeDefined();
    expect(resultReader(['Status', 'Custom Number'])).toBeDefined();
  });
});

it('a report frees nothing that a person has to check first, and may say that it was paid', () => {
  const read = resultReader(['itemReference', 'status']);
  const judged = (status: string, wantsLook: boolean) => {
    const row = read?.({ line: 2, cells: ['poa', status] });
    return judgeResults([item({ wantsLook })], row ? [row] : []);
  };
  expect(judged('failed', true)).toMatchObject({ changes: [], skipped: 1, problems: [] });
  expect(judged('failed', false).changes).toMatchObject([{ itemId: 'a', to: 'failed' }]);
  expect(judged('paid', true).changes).toMatchObject([{ itemId: 'a', to: 'paid' }]);
});

it('results change nothing the second time, in whatever order they come', () => {
  const read = resultReader(['itemReference', 'status', 'transactionId', 'reason']);
  const row = fc.tuple(
    fc.constantFrom('poa', 'pob', 'poc'),
    fc.constantFrom('paid', 'failed', 'returned', 'lost'),
    fc.constantFrom('', 'T1', 'T2'),
  );
  fc.assert(
    fc.property(fc.array(row, { maxLength: 8 }), (rows) => {
      const results = rows.flatMap((cells, line) => read?.({ line: line + 2, cells }) ?? []);
      const items = [item(), item({ id: 'b', reference: 'pob' })];
      const first = judgeResults(items, results);
      expect(first.changes.length + first.unchanged + first.problems.length).toBe(rows.length);
      const moved = items.map((one) => itemAfter(one, first));
      expect(judgeResults(moved, results).changes).toEqual([]);
    }),
  );
});

it.each([false, true])('a return is one of its payment, in any order (turned: %s)', (isTurned) => {
  const rows = [
    ['poa', 'paid', 'T1'],
    ['poa', 'returned', 'T1'],
  ];
  const results = ownRows(...(isTurned ? rows.toReversed() : rows));
  const moves = [
    { from: 'ready', to: 'paid' },
    { from: 'paid', to: 'returned' },
  ];
  expect(judgeResults([item()], results)).toMatchObject({ changes: moves, problems: [] });
  const paid = { status: 'paid', transactionId: 'T1' } as const;
  expect(judgeResults([item(paid)], results)).toMatchObject({
    changes: [moves[1]],
    unchanged: 1,
    problems: [],
  });
});

describe('a payment that came back, reported as paid', () => {
  const judged = (...rows: [status: string, transactionId: string][]) =>
    judgeResults([item(returned)], ownRows(...rows.map((row) => ['poa', ...row])));
  const returned = {
    status: 'returned' as const,
    transactionId: 'T1',
    reports: ['["paid","T1",""]', '["back","",""]'],
  };

  it('by the same transaction is old news', () => {
    expect(judged(['paid', 'T1'])).toMatchObject({ changes: [], unchanged: 1, problems: [] });
  });

  it('by another one is paid again', () => {
    expect(judged(['paid', 'T2']).changes).toMatchObject([{ from: 'returned', to: 'paid' }]);
  });

  it('by none could be either', () => {
    expect(judged(['paid', ''])).toMatchObject({ changes: [], problems: [{ line: 2 }] });
  });

  it('is its past, when nobody has named it and the return is told as well', () => {
    const unnamed = item({ status: 'returned', reports: [] });
    const rows = ownRows(['poa', 'paid', 'T0'], ['poa', 'returned', 'T1']);
    expect(judgeResults([unnamed], rows)).toMatchObject({
      changes: [],
      unchanged: 2,
      problems: [],
    });
    expect(judgeResults([unnamed], rows.slice(0, 1))).toMatchObject({
      changes: [],
      problems: [{ line: 2 }],
    });
  });
});

describe('a row of our own columns', () => {
  const read = resultReader(['itemReference', 'status', 'transactionId', 'reason']);
  const of = (...cells: string[]) => read?.({ line: 7, cells });

  it('says what it says', () => {
    expect(of(' poa ', 'PAID', ' T1 ', 'x'.repeat(501))).toMatchObject({
      ...{ line: 7, reference: 'poa', kind: 'paid', id: 'T1', of: '', emails: [] },
      reason: 'x'.repeat(500),
    });
    expect(of('poa', 'failed')).toMatchObject({ kind: 'failed', id: '', reason: null });
  });

  it.each([
    [['poa', 'lost'], 'The status must be paid, failed or returned, not "lost".'],
    [['poa', 'constructor'], 'The status must be paid, failed or returned, not "constructor".'],
    [['poa', 'cancelled'], 'The status must be paid, failed or returned, not "cancelled".'],
    [['poa'], 'The status must be paid, failed or returned, not "".'],
    [['', 'paid'], 'There is no itemReference.'],
  ])('%j is a problem', (cells, message) => {
    expect(of(...cells)).toEqual({ line: 7, message });
  });
});

describe("a row of PayPal's report", () => {
  const header = ['Currency', 'Gross', 'To Email Address', 'Status', 'Transaction ID', 'Type'];
  const amiss = (gross: string) => `"${gross}" is no amount: it takes a dot before its decimals.`;
  const read = resultReader(header);
  const of = (fields: Partial<Record<string, string>>) =>
    read?.({ line: 2, cells: header.map((name) => fields[name] ?? '') });
  const payment = { Currency: 'USD', Gross: '-20.00', 'To Email Address': 'A@x.example' };
  const neither = 'It names neither an item nor an address with a currency and an amount.';

  it.each([
    ['Completed', 'paid', ''],
    ['Unclaimed', 'open', ''],
    ['PENDING', 'open', ''],
    ['Returned', 'back', 'T'],
    ['Refunded', 'back', 'T'],
    ['Reversed', 'back', 'T'],
    ['Denied', 'denied', ''],
    ['Failed', 'denied', ''],
    ['Blocked', 'denied', ''],
  ])('that is %s says %s', (Status, kind, back) => {
    expect(of({ ...payment, Status, 'Transaction ID': 'T' })).toMatchObject({
      ...{ line: 2, reference: null, emails: ['a@x.example'], currency: 'usd', amountCents: 2_000 },
      ...{ kind, id: 'T', of: back },
    });
  });

  it.each([
    ['no status', { Status: '' }, `"" is no status of PayPal's that is known.`],
    ['a foreign one', { Status: 'valueOf' }, `"valueOf" is no status of PayPal's that is known.`],
    ['no address', { 'To Email Address': '' }, neither],
    ['no amount', { Gross: '' }, neither],
    ['no currency', { Currency: '' }, neither],
    ['what is no currency', { Currency: 'XYZ1' }, '"XYZ1" is no currency.'],
    ['what is no amount', { Gross: 'free' }, amiss('free')],
    ['a decimal comma', { Gross: '-20,00' }, amiss('-20,00')],
    ['dots between thousands', { Gross: '-1.234,50' }, amiss('-1.234,50')],
    ['a comma that may be either', { Gross: '-1,234' }, amiss('-1,234')],
    ['a sum that came in', { Gross: '+20.00' }, amiss('+20.00')],
    ['parts of a cent', { Gross: '20.001' }, amiss('20.001')],
    ['more than a number holds', { Gross: '-90071992547409.93' }, amiss('-90071992547409.93')],
    ['an unknown type', { Type: 'Gift' }, `"Gift" is no type of PayPal's that is known.`],
    [
      'a return undone',
      { Type: 'Cancelled Reversal' },
      `"Cancelled Reversal" is no type of PayPal's that is known.`,
    ],
  ])('with %s is a problem', (_case, fields, message) => {
    expect(of({ ...payment, Status: 'Completed', ...fields })).toEqual({ line: 2, message });
  });

  it.each([
    ['USD', '20', 2_000],
    ['USD', '-1,234.5', 123_450],
    ['USD', '20.000', 2_000],
    ['USD', '-90071992547409.91', Number.MAX_SAFE_INTEGER],
    ['JPY', '20', 20],
    ['JPY', '20.00', 20],
    ['KWD', '0.98', 980],
  ])('reads %s %s as %s', (Currency, Gross, amountCents) => {
    const row = of({ ...payment, Status: 'Completed', Currency, Gross });
    expect(row).toMatchObject({ amountCents });
  });

  it.each(['Currency', 'Gross', 'To Email Address'])('is of no use without %s', (missing) => {
    expect(resultReader(header.filter((name) => name !== missing))).toBeUndefined();
    const named = header.map((name) => (name === missing ? 'Item Reference' : name));
    expect(resultReader(named)).toBeDefined();
  });
});

describe('what rows change', () => {
  const judge = (items: ResultItem[], ...rows: string[][]) => judgeResults(items, ownRows(...rows));

  it('is told with its line and reason, and leaves the items as they were', () => {
    const items = [item()];
    const judged = judge(items, ['poa', 'paid', 'T', 'why']);
    expect(judged.changes).toEqual([
      { line: 2, itemId: 'a', from: 'ready', to: 'paid', transactionId: 'T', reason: 'why' },
    ]);
    expect(items).toEqual([item()]);
  });

  it('is a payment, too, when no transaction is named', () => {
    expect(judge([item()], ['poa', 'paid']).changes).toMatchObject([{ from: 'ready', to: 'paid' }]);
  });

  it('is each once, however often it stands there', () => {
    const rows = [
      ['poa', 'paid', 'T1'],
      ['poa', 'returned'],
      ['poa', 'paid', 'T1'],
    ];
    expect(judge([item()], ...rows)).toMatchObject({
      changes: [{ line: 2 }, { line: 3, from: 'paid', to: 'returned', transactionId: null }],
      unchanged: 1,
    });
  });

  it.each([
    ['of nobody', ['pox', 'paid'], 'No item of this payout fits.'],
    ['that cannot be', ['poa', 'failed'], 'An item that is paid cannot become failed by this.'],
    [
      'that cannot be yet',
      ['pob', 'returned'],
      'An item that is ready cannot become returned by this.',
    ],
    [
      'of a second payment',
      ['poa', 'paid', 'T2'],
      'It was reported as paid before, by another transaction or by none.',
    ],
  ])('a row %s is a problem', (_case, row, message) => {
    const paid = item({ status: 'paid', transactionId: 'T1' });
    const { problems, changes } = judge([paid, item({ id: 'b', reference: 'pob' })], row);
    expect([problems, changes]).toEqual([[{ line: 2, message }], []]);
  });

  it('is no endless story of one item', () => {
    const rows = Array.from({ length: 60 }, (_, at) => ['poa', 'paid', `T${at}`]);
    expect(judge([item()], ...rows)).toMatchObject({ changes: [], problems: { length: 60 } });
    const turns = Array.from({ length: 12 }, (_, at) => [
      ['poa', 'paid', `T${at}`],
      ['poa', 'returned', `T${at}`],
    ]).flat();
    expect(judge([item()], ...turns).changes).toHaveLength(8);
  });
});
