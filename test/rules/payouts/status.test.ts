import fc from 'fast-check';
import {
  bookingOf,
  payoutItemMoves,
  payoutItemStatuses,
  payoutStatusOf,
  reportOutcome,
  reportedStatuses,
} from '../../../entities/rules/payouts/status';

describe('a report of an item', () => {
  const allowed = [
    'ready paid',
    'ready failed',
    'paid returned',
    'failed paid',
    'returned paid',
    'cancelled paid',
  ];
  const pairs = payoutItemStatuses.flatMap((from) =>
    reportedStatuses.filter((to) => to !== from).map((to) => ({ from, to })),
  );
  it.each(pairs)('that it is $to when it is $from', ({ from, to }) => {
    const expected = allowed.includes(`${from} ${to}`) ? 'moves' : 'refused';
    expect(reportOutcome({ status: from, transactionId: null }, { status: to })).toBe(expected);
  });

  it.each([
    ['the same transaction', 'T1', 'T1', 'repeats'],
    ['no transaction', 'T1', undefined, 'repeats'],
    ['no transaction of one without', null, null, 'repeats'],
    ['another transaction', 'T1', 'T2', 'refused'],
    ['a transaction of one without', null, 'T2', 'names'],
  ] as const)('again, with %s', (_name, known, told, expected) => {
    const item = { status: 'paid', transactionId: known } as const;
    expect(reportOutcome(item, { status: 'paid', transactionId: told })).toBe(expected);
  });

  it('never makes it ready or cancelled', () => {
    for (const status of payoutItemStatuses) {
      const { report = [], complete = [], cancel = [] } = payoutItemMoves[status];
      const targets = [...report, ...complete, ...cancel];
      expect(targets).not.toContain('ready');
      if (status !== 'ready') expect(targets).not.toContain('cancelled');
    }
  });
});

it.each([
  [['ready', 'paid', 'returned'], 'processing'],
  [['paid', 'failed'], 'completed'],
  [['returned'], 'completed'],
  [['failed', 'cancelled'], 'cancelled'],
] as const)('a payout of items %j is %s', (items, expected) => {
  expect(payoutStatusOf(items)).toBe(expected);
});

it('books each payment once, whatever the order of reports', () => {
  const reports = fc.array(fc.constantFrom(...reportedStatuses), { maxLength: 12 });
  fc.assert(
    fc.property(reports, (all) => {
      let status: (typeof payoutItemStatuses)[number] = 'ready';
      let [reserved, paid] = [1, 0];
      for (const to of all) {
        if (reportOutcome({ status, transactionId: null }, { status: to }) !== 'moves') continue;
        const booking = bookingOf(status, to);
        if (booking === 'pay' || booking === 'free') reserved -= 1;
        if (booking === 'pay' || booking === 'pay_late') paid += 1;
        if (booking === 'reverse') paid -= 1;
        status = to;
      }
      expect(reserved).toBe(status === 'ready' ? 1 : 0);
      expect(paid).toBe(status === 'paid' ? 1 : 0);
    }),
  );
});
