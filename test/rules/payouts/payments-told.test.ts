import type { ResultItem } from '../../../entities/rules/payouts/judged-results';
import { itemAfter, ownRows, judgeResults } from '../../support/payout-reports';

const item = (fields: Partial<ResultItem> = {}): ResultItem => ({
  ...{ id: 'a', reference: 'poa', email: 'a@x.example', currency: 'usd', amountCents: 2_000 },
  ...{ status: 'ready', transactionId: null, reports: [] },
  ...fields,
});
/** Rows as `paid T1`. */
const rowsOf = (rows: string[]) => ownRows(...rows.map((row) => ['poa', ...row.split(' ')]));
const judge = (one: ResultItem, ...rows: string[]) => judgeResults([one], rowsOf(rows));
const which =
  'Several payments of this item are known, and it does not say which of them came back.';
const again =
  'The payment came back. If it was paid again, name the transaction, or mark the item by hand.';
const second = 'It was reported as paid before, by another transaction or by none.';

const known = (...reports: [kind: string, id: string, of?: string][]): string[] =>
  reports.map(([kind, id, of = '']) => JSON.stringify([kind, id, of]));
const paidByHand = item({ status: 'paid' });
const paid = item({ status: 'paid', transactionId: 'T1', reports: known(['paid', 'T1']) });
const paidAgain = item({
  ...{ status: 'paid', transactionId: 'T2' },
  reports: known(['paid', 'T1'], ['back', 'R1', 'T1'], ['paid', 'T2']),
});

describe('what rows change of an item', () => {
  it.each<[string, ResultItem, string[], string[]]>([
    ['the first transaction of what was marked is added', paidByHand, ['paid T1'], ['paid T1']],
    [
      'of two, that of the payment which stands is',
      paidByHand,
      ['paid T1', 'paid T2', 'returned T1'],
      ['paid T2'],
    ],
    [
      'none is of a payment that has come back',
      paidByHand,
      ['paid T1', 'returned T1'],
      ['returned T1'],
    ],
    [
      'a row without a transaction is of what another names',
      item(),
      ['paid', 'paid T1'],
      ['paid T1'],
    ],
    ['a return without one is of the payment that is left', paid, ['returned'], ['returned']],
    [
      'a return without one, of an item that was paid again, is of the payment that is left',
      paidAgain,
      ['returned'],
      ['returned'],
    ],
    ['a payment that came back says no more', paidAgain, ['returned T1'], []],
    ['a repeated return says no more', paid, ['returned T1', 'returned T1'], ['returned T1']],
    [
      'each of two payments has its return',
      item(),
      ['paid T1', 'returned T1', 'paid T2'],
      ['paid T1', 'returned T1', 'paid T2'],
    ],
    [
      'a payment that is known to have failed is not paid by it',
      item({ status: 'failed', reports: known(['failed', 'T1']) }),
      ['paid T1'],
      [],
    ],
    [
      'a payment by another transaction is, of an item that failed',
      item({ status: 'failed', reports: known(['failed', 'T1']) }),
      ['paid T2'],
      ['paid T2'],
    ],
  ])('by the payments told: %s', (_rule, one, rows, changes) => {
    const judged = judge(one, ...rows);
    const told = judged.changes.map(({ to, transactionId }) =>
      [to, transactionId].join(' ').trim(),
    );
    expect([told, judged.problems]).toEqual([changes, []]);
    expect(judge(itemAfter(one, judged), ...rows)).toMatchObject({ changes: [], problems: [] });
  });
});

describe('what cannot be told apart', () => {
  it.each<[string, ResultItem, string[], { line: number; message: string }[]]>([
    [
      'a return that names none of several payments',
      item(),
      ['paid T1', 'paid T2', 'returned'],
      [
        { line: 3, message: second },
        { line: 4, message: which },
      ],
    ],
    ['a second payment', paid, ['paid T2'], [{ line: 2, message: second }]],
    [
      'a payment without a transaction after a return',
      item({ status: 'returned', reports: known(['paid', 'T1'], ['back', 'R1', 'T1']) }),
      ['paid'],
      [{ line: 2, message: again }],
    ],
    [
      'a payment of what came back before anybody named it',
      item({ status: 'returned' }),
      ['paid T1'],
      [{ line: 2, message: again }],
    ],
    [
      'a word that is none',
      paid,
      ['lost T1'],
      [{ line: 2, message: 'The status must be paid, failed or returned, not "lost".' }],
    ],
  ])('is a problem: %s', (_case, one, rows, problems) => {
    expect(judge(one, ...rows).problems).toEqual(problems);
  });
});
