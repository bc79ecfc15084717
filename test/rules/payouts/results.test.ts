import fc from 'fast-check';
import { amountText } from '../../../entities/rules/payouts/files';
import {
  judgeResults,
  resultReader,
  type ResultItem,
} from '../../../entities/rules/payouts/results';

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
