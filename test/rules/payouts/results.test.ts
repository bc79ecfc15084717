import fc from 'fast-check';
import { amountText } from '../../../entities/rules/payouts/files';
import { judgeResults, type ResultItem } from '../../../entities/rules/payouts/judge-results';
import { resultReader } from '../../../entities/rules/payouts/results';

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
      const moved = items.map((one) =>
        first.changes
          .filter(({ itemId }) => itemId === one.id)
          .reduce(
            (now, { to: status, transactionId }) => ({
              ...now,
              status,
              transactionId: transactionId ?? now.transactionId,
            }),
            one,
          ),
      );
      expect(judgeResults(moved, results).changes).toEqual([]);
    }),
  );
});

it('a return that stands before its payment is told, and not taken for its past', () => {
  const read = resultReader(['itemReference', 'status', 'transactionId']);
  const rows = [
    ['poa', 'returned', 'T1'],
    ['poa', 'paid', 'T1'],
  ].flatMap((cells, at) => read?.({ line: at + 2, cells }) ?? []);
  const paid = { status: 'paid', transactionId: 'T1' } as const;
  expect(judgeResults([item(paid)], rows)).toMatchObject({
    changes: [],
    unchanged: 1,
    problems: [{ line: 2, message: expect.stringContaining('oldest row first') as string }],
  });
  expect(
    judgeResults(
      [item(paid)],
      rows.toReversed().map((row, at) => ({ ...row, line: at + 2 })),
    ),
  ).toMatchObject({
    changes: [{ from: 'paid', to: 'returned' }],
    unchanged: 1,
    problems: [],
  });
});

describe('a payment that came back, reported as paid', () => {
  const read = resultReader(['itemReference', 'status', 'transactionId']);
  const judged = (...rows: [status: string, transactionId: string][]) => {
    const results = rows.flatMap(([status, transactionId], at) => {
      const row = read?.({ line: at + 2, cells: ['poa', status, transactionId] });
      return row ?? [];
    });
    return judgeResults([item({ status: 'returned', transactionId: 'T1' })], results);
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

  it('before the line that tells of the return is its past, whatever transaction the return has', () => {
    expect(judged(['paid', 'T0'], ['returned', 'T1'])).toMatchObject({
      changes: [],
      unchanged: 2,
      problems: [],
    });
  });
});

describe('a row of our own columns', () => {
  const read = resultReader(['itemReference', 'status', 'transactionId', 'reason']);
  const of = (...cells: string[]) => read?.({ line: 7, cells });

  it('says what it says', () => {
    expect(of(' poa ', 'PAID', ' T1 ', 'x'.repeat(501))).toEqual({
      line: 7,
      reference: 'poa',
      payment: null,
      status: 'paid',
      transactionId: 'T1',
      reason: 'x'.repeat(500),
    });
    expect(of('poa', 'failed')).toMatchObject({ transactionId: null, reason: null });
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
  const header = ['Currency', 'Gross', 'To Email Address', 'Status', 'Transaction ID'];
  const read = resultReader(header);
  const of = (fields: Partial<Record<string, string>>) =>
    read?.({ line: 2, cells: header.map((name) => fields[name] ?? '') });
  const payment = { Currency: 'USD', Gross: '-20.00', 'To Email Address': 'A@x.example' };
  const neither = 'It names neither an item nor an address with a currency and an amount.';

  it.each([
    ['Completed', 'paid', null],
    ['Unclaimed', null, 'Unclaimed'],
    ['PENDING', null, 'PENDING'],
    ['Returned', 'returned', 'Returned'],
    ['Refunded', 'returned', 'Refunded'],
    ['Reversed', 'returned', 'Reversed'],
    ['Denied', 'failed', 'Denied'],
    ['Failed', 'failed', 'Failed'],
    ['Blocked', 'failed', 'Blocked'],
  ])('that is %s says %s', (Status, status, reason) => {
    expect(of({ ...payment, Status, 'Transaction ID': 'T' })).toEqual({
      line: 2,
      reference: null,
      payment: { email: 'a@x.example', currency: 'usd', amountCents: 2_000 },
      status,
      transactionId: 'T',
      reason,
    });
  });

  it.each([
    ['no status', { Status: '' }, `"" is no status of PayPal's that is known.`],
    ['a foreign one', { Status: 'valueOf' }, `"valueOf" is no status of PayPal's that is known.`],
    ['no address', { 'To Email Address': '' }, neither],
    ['no amount', { Gross: '' }, neither],
    ['no currency', { Currency: '' }, neither],
    ['what is no currency', { Currency: 'XYZ1' }, neither],
    ['what is no amount', { Gross: 'free' }, neither],
    ['parts of a cent', { Gross: '20.001' }, neither],
    ['more than a number holds', { Gross: '-90071992547409.93' }, neither],
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
    expect(row).toMatchObject({ payment: { amountCents } });
  });

  it.each(['Currency', 'Gross', 'To Email Address'])('is of no use without %s', (missing) => {
    expect(resultReader(header.filter((name) => name !== missing))).toBeUndefined();
    const named = header.map((name) => (name === missing ? 'Item Reference' : name));
    expect(resultReader(named)).toBeDefined();
  });
});

describe('what rows change', () => {
  const row = (fields: object) => ({
    line: 2,
    reference: 'poa',
    payment: null,
    status: 'paid' as const,
    transactionId: null,
    reason: null,
    ...fields,
  });
  const payment = { email: 'a@x.example', currency: 'usd', amountCents: 2_000 };
  const twins = [
    item({ status: 'paid', transactionId: 'T1' }),
    item({ id: 'b', reference: 'pob' }),
  ];

  it('is told with its line and reason, and leaves the items as they were', () => {
    const items = [item()];
    const judged = judgeResults(items, [row({ line: 5, transactionId: 'T', reason: 'why' })]);
    expect(judged.changes).toEqual([
      { line: 5, itemId: 'a', from: 'ready', to: 'paid', transactionId: 'T', reason: 'why' },
    ]);
    expect(items).toEqual([item()]);
  });

  it('is a payment, too, when no transaction is named', () => {
    expect(judgeResults([item()], [row({})]).changes).toMatchObject([
      { from: 'ready', to: 'paid' },
    ]);
  });

  it('is nothing where nothing is decided', () => {
    expect(judgeResults([item()], [row({ status: null })])).toEqual({
      changes: [],
      unchanged: 1,
      problems: [],
    });
  });

  it('is seen after the rows before: a transaction is known from then on', () => {
    const results = [
      row({ transactionId: 'T1' }),
      row({ line: 3, status: 'returned' }),
      row({ line: 4, transactionId: 'T1' }),
    ];
    expect(judgeResults([item()], results)).toMatchObject({
      changes: [{ line: 2 }, { line: 3, from: 'paid', to: 'returned', transactionId: null }],
      unchanged: 1,
    });
  });

  it.each([
    ['of nobody', row({ reference: 'pox' }), 'No item of this payout fits.'],
    ['without anything to find it by', row({ reference: null }), 'No item of this payout fits.'],
    ['of two', row({ reference: null, payment }), 'Several items of this payout fit.'],
    [
      'that cannot be',
      row({ status: 'failed' }),
      'An item that is paid cannot become failed by this.',
    ],
    [
      'of a second payment',
      row({ transactionId: 'T2' }),
      'It was reported as paid before, by another transaction or by none.',
    ],
  ])('a row %s is a problem', (_case, result, message) => {
    const { problems, changes } = judgeResults(twins, [result]);
    expect([problems, changes]).toEqual([[{ line: 2, message }], []]);
  });

  it('a row that fits two makes the past of neither', () => {
    const results = [
      row({ status: 'returned', transactionId: 'T1' }),
      row({ line: 3, reference: null, payment, transactionId: 'T1' }),
    ];
    expect(judgeResults(twins, results)).toMatchObject({
      changes: [{ line: 2, to: 'returned' }],
      problems: [{ line: 3 }],
    });
  });

  it('rows of other files are no past, and the last known line itself no change', () => {
    const paid = [item({ status: 'paid', transactionId: 'T1' })];
    const results = [
      row({ line: 1, status: 'failed' }),
      { line: 2, message: 'unreadable' },
      row({ line: 3, transactionId: 'T1' }),
      row({ line: 4, status: 'returned' }),
    ];
    expect(judgeResults(paid, results)).toEqual({
      changes: [expect.objectContaining({ line: 4 })],
      unchanged: 2,
      problems: [{ line: 2, message: 'unreadable' }],
    });
  });
});
