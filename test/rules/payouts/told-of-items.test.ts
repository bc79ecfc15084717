import type { ResultItem } from '../../../entities/rules/payouts/judged-results';
import { readReport, reportText } from '../../../entities/rules/payouts/item-reports';
import { ownRows, rowsUnder, judgeResults } from '../../support/payout-reports';

const item = (fields: Partial<ResultItem> = {}): ResultItem => ({
  ...{ id: 'a', reference: 'poa', email: 'a@x.example', currency: 'usd', amountCents: 2_000 },
  ...{ status: 'ready', transactionId: null, reports: [] },
  ...fields,
});

type Cells = Partial<Record<(typeof header)[number], string>>;
const header = [
  ...(['Date', 'Time', 'Type', 'Status', 'Currency', 'Gross', 'Transaction ID'] as const),
  ...(['Reference Txn ID', 'From Email Address', 'To Email Address', 'Custom Number'] as const),
] as const;
const payPalRows = (...rows: Cells[]) =>
  rowsUnder(
    header,
    rows.map((row) => header.map((name) => row[name] ?? '')),
  );
const judge = (items: ResultItem[], ...rows: Cells[]) => judgeResults(items, payPalRows(...rows));
const payment: Cells = {
  ...{ Status: 'Completed', Currency: 'USD', Gross: '-20.00' },
  ...{ 'Transaction ID': 'T1', 'To Email Address': 'a@x.example' },
};
const named: Cells = { Status: 'Completed', 'Transaction ID': 'T1', 'Custom Number': 'poa' };
const back: Cells = { Type: 'Payment Refund', Status: 'Completed', 'Transaction ID': 'R1' };
const mismatch = 'The sum or the currency is not that of the item.';
const nobody = 'No item of this payout fits.';

describe('the item of a row', () => {
  const twins = [item(), item({ id: 'b', reference: 'pob' })];
  const paidTwins = twins.map((one) => ({
    ...one,
    ...{ status: 'paid' as const, transactionId: one.id === 'b' ? 'T1' : 'T2' },
  }));

  it('is that of its transaction, before what its address says', () => {
    const { changes, problems } = judge(paidTwins, { ...payment, Status: 'Denied' });
    expect([changes.map(({ itemId, to }) => [itemId, to]), problems]).toEqual([
      [['b', 'returned']],
      [],
    ]);
  });

  it('is that of a transaction which an earlier report named', () => {
    const told = twins.map((one) => ({
      ...one,
      reports: one.id === 'b' ? [reportText({ kind: 'failed', id: 'T1', of: '' })] : [],
    }));
    expect(judge(told, payment)).toMatchObject({ unchanged: 1, changes: [], problems: [] });
  });

  it('is that of the payment that came back, which a row anywhere in the report tells of', () => {
    const rows = [
      { ...back, 'Reference Txn ID': 'T9' },
      { ...named, 'Transaction ID': 'T9' },
    ];
    const expected = { changes: [{ to: 'paid' }, { to: 'returned' }], problems: [] };
    expect(judge(twins, ...rows)).toMatchObject(expected);
    expect(judge(twins, ...rows.toReversed())).toMatchObject(expected);
  });

  it('is none that a return of another payment was taken for', () => {
    const rows = [
      { ...back, 'Custom Number': 'poa', 'Reference Txn ID': 'T8' },
      { ...back, 'Reference Txn ID': 'R1' },
    ];
    expect(judge(twins, ...rows).problems).toEqual([{ line: 3, message: nobody }]);
  });

  it('is nobody’s by an empty transaction', () => {
    const rows = [
      { ...named, 'Transaction ID': '' },
      { ...payment, 'Transaction ID': '' },
    ];
    expect(judge(twins, ...rows).problems).toEqual([
      { line: 3, message: 'Several items of this payout fit.' },
    ]);
  });

  it('is none of an item that no row is to be found by', () => {
    expect(judge([item({ email: null })], payment).problems).toEqual([
      { line: 2, message: nobody },
    ]);
  });

  it.each<[string, Cells, string | undefined]>([
    ['says neither sum nor currency', {}, undefined],
    ['says its currency', { Currency: 'USD' }, undefined],
    ['says another currency', { Currency: 'EUR' }, mismatch],
    ['says its sum', { Currency: 'USD', Gross: '-20.00' }, undefined],
    ['says another sum', { Currency: 'USD', Gross: '-20.01' }, mismatch],
  ])('by reference is it when the row %s', (_case, cells, message) => {
    const { problems } = judge([item()], { ...named, ...cells });
    expect(problems).toEqual(message ? [{ line: 2, message }] : []);
  });
});

describe('money that came back, by a row of its own', () => {
  const paid = item({ status: 'paid', transactionId: 'T1' });
  const found: Cells = { ...back, Currency: 'USD', Gross: '20.00' };

  it('is of whom it came from', () => {
    const row = {
      ...found,
      'From Email Address': 'A@x.example',
      'To Email Address': 'us@x.example',
    };
    expect(judge([paid], row).changes).toMatchObject([
      { to: 'returned', reason: 'Payment Refund, Completed' },
    ]);
  });

  it('of a payment has not come from the payer', () => {
    const row = {
      ...payment,
      'From Email Address': 'a@x.example',
      'To Email Address': 'z@x.example',
    };
    expect(judge([item()], row).problems).toEqual([{ line: 2, message: nobody }]);
  });

  it('is found by its payment alone', () => {
    expect(judge([paid], { ...back, 'Reference Txn ID': 'T1' }).changes).toMatchObject([
      { to: 'returned' },
    ]);
  });

  it.each(['Pending', 'Denied', 'Unclaimed'])('has not come yet while it is %s', (Status) => {
    const row = { ...back, Status, 'Custom Number': 'poa' };
    expect(judge([paid], row)).toMatchObject({ changes: [], unchanged: 1, problems: [] });
  });

  it('has come when it is reversed', () => {
    const row = { ...back, Status: 'Reversed', 'Custom Number': 'poa' };
    expect(judge([paid], row).changes).toMatchObject([{ to: 'returned' }]);
  });
});

describe('a row', () => {
  it.each(['Mass Pay Fee', 'Hold', 'Bank Transfer'])('of a %s is passed over', (Type) => {
    expect(judge([item()], { ...payment, Type })).toEqual({
      ...{ changes: [], notes: [], unchanged: 0, skipped: 1, problems: [] },
    });
  });

  it('of what is sent by a provider is passed over', () => {
    expect(judge([item({ status: 'sending' })], payment)).toEqual({
      ...{ changes: [], notes: [], unchanged: 0, skipped: 1, problems: [] },
    });
  });

  it('says why it did not go, and nothing of what did', () => {
    const reasons = (row: Cells) => judge([item()], row).changes.map(({ reason }) => reason);
    expect(reasons(payment)).toEqual([null]);
    expect(reasons({ ...payment, Status: 'Denied' })).toEqual(['Denied']);
    expect(reasons({ ...payment, Status: 'Denied', Type: 'Payout' })).toEqual(['Payout, Denied']);
  });

  it('may have zeros behind the currency’s decimals, and none of them', () => {
    for (const Gross of ['-20.000', '-20', '-20.', '20.0']) {
      expect(judge([item()], { ...payment, Gross }).changes).toHaveLength(1);
    }
    expect(
      judge([item({ currency: 'jpy' })], { ...payment, Currency: 'JPY', Gross: '-2,000' }),
    ).toMatchObject({ changes: [{ to: 'paid' }] });
  });

  it('of a problem is told in the order of lines, whichever item it is of', () => {
    const rows = ownRows(
      ['poa', 'returned', 'T1'],
      ['pob', 'returned', 'T2'],
      ['poa', 'lost'],
      ['pox', 'paid'],
      ['poa', 'returned', 'T3'],
    );
    const { problems } = judgeResults([item(), item({ id: 'b', reference: 'pob' })], rows);
    expect(problems.map(({ line }) => line)).toEqual([2, 3, 4, 5, 6]);
  });
});

describe('days of a report', () => {
  const on = (at: string, Status: string): Cells => ({ ...named, Date: at, Status });

  it('tell whether what was denied was paid before: newest first', () => {
    const rows = [on('2026-03-02', 'Denied'), on('2026-03-01', 'Completed')];
    const unnamed = rows.map((row) => ({ ...row, 'Transaction ID': '' }));
    expect(judge([item()], ...unnamed).changes).toMatchObject([{ to: 'paid' }, { to: 'returned' }]);
  });

  it('tell of times of one day, too', () => {
    const rows = [on('2026-03-01', 'Denied'), on('2026-03-01', 'Completed')].map((row, at) => ({
      ...row,
      ...{ Time: at === 0 ? '11:00:00' : '10:00:00', 'Transaction ID': '' },
    }));
    expect(judge([item()], ...rows).changes).toMatchObject([{ to: 'paid' }, { to: 'returned' }]);
  });

  it('leave the order of the file where they do not tell', () => {
    const rows = [on('', 'Denied'), on('', 'Completed')].map((row) => ({
      ...row,
      ...{ 'Transaction ID': '' },
    }));
    expect(judge([item()], ...rows).changes.at(-1)).toMatchObject({ to: 'paid' });
  });
});

describe('the story of an item', () => {
  const tooMany = 'Too many rows tell of this item: look at it by hand.';
  const times = (count: number) => Array.from({ length: count }, () => ['poa', 'paid', 'T1']);

  it('may be told by 500 rows, and by no more', () => {
    expect(judgeResults([item()], ownRows(...times(500)))).toMatchObject({
      ...{ changes: [{ to: 'paid' }], unchanged: 499, problems: [] },
    });
    const more = judgeResults([item()], ownRows(...times(501)));
    expect(more).toMatchObject({ changes: [], notes: [], unchanged: 0 });
    expect(more.problems).toHaveLength(501);
    expect(new Set(more.problems.map(({ message }) => message))).toEqual(new Set([tooMany]));
  });

  it('is of 50 things that were told, and of no more', () => {
    const reports = Array.from({ length: 49 }, (_, at) =>
      reportText({ kind: 'failed', id: `F${at}`, of: '' }),
    );
    const failed = item({ status: 'failed', reports });
    expect(judgeResults([failed], ownRows(['poa', 'paid', 'T1'])).changes).toHaveLength(1);
    const two = ownRows(['poa', 'paid', 'T1'], ['poa', 'returned', 'T1']);
    expect(judgeResults([failed], two)).toMatchObject({
      ...{ changes: [], notes: [], unchanged: 0 },
      problems: [
        { line: 2, message: tooMany },
        { line: 3, message: tooMany },
      ],
    });
  });

  it('keeps of each row what it told, and of which payment', () => {
    const keptOf = (one: ResultItem, ...rows: Cells[]) =>
      judge([one], ...rows).notes.flatMap(({ reports }) => reports.map(readReport));
    const paid = item({ status: 'paid', transactionId: 'T1' });
    const [wentOut, denied] = [
      { kind: 'paid', id: 'T1', of: '' },
      { ...named, Status: 'Denied' },
    ];
    expect(keptOf(item(), named)).toEqual([wentOut]);
    expect(keptOf(item(), denied)).toEqual([{ kind: 'failed', id: 'T1', of: '' }]);
    expect(keptOf(paid, denied)).toEqual([{ kind: 'back', id: 'T1', of: 'T1' }]);
    expect(keptOf(paid, { ...back, 'Custom Number': 'poa' })).toEqual([
      { kind: 'back', id: 'R1', of: 'T1' },
    ]);
    expect(keptOf(item(), { ...back, 'Custom Number': 'poa' })).toEqual([
      { kind: 'back', id: 'R1', of: '' },
    ]);
  });

  it('ends with what failed before, when a try of it is told late', () => {
    const cancelled = item({ status: 'cancelled' });
    const denied = { ...named, Status: 'Denied' };
    expect(judge([cancelled], denied)).toMatchObject({ changes: [], unchanged: 1, problems: [] });
    const paid = item({ status: 'paid', transactionId: 'T2' });
    expect(judge([paid], denied, { ...named, 'Transaction ID': 'T2' }).problems).toEqual([]);
  });
});
