import {
  isSameTotals,
  leftOutOf,
  totalsOf,
  type OpenSum,
  type PreviewTerms,
} from '../../../entities/rules/payouts/preview';

const amount = (currency: string, amountCents: number) => ({ currency, amountCents });

describe('totals', () => {
  it('are one sum a currency, sorted by it', () => {
    const items = [amount('usd', 5), amount('eur', 7), amount('usd', 10), amount('gbp', 1)];
    expect(totalsOf(items)).toEqual([amount('eur', 7), amount('gbp', 1), amount('usd', 15)]);
  });

  it.each([
    ['the same in another order', [amount('eur', 7), amount('usd', 5)], true],
    ['in parts', [amount('usd', 2), amount('eur', 7), amount('usd', 3)], true],
    [
      'with a currency that comes to nothing',
      [...[amount('usd', 5), amount('eur', 7)], amount('gbp', 0)],
      true,
    ],
    ['a cent more', [amount('usd', 6), amount('eur', 7)], false],
    ['a currency less', [amount('usd', 5)], false],
    ['a cent of another currency', [amount('usd', 5), amount('eur', 7), amount('gbp', 1)], false],
  ])('%s: same as a preview is %s', (_case, expected, isSame) => {
    expect(isSameTotals([amount('usd', 5), amount('eur', 7)], expected)).toBe(isSame);
  });
});

describe('who is left out', () => {
  const open = (fields: Partial<OpenSum> = {}): OpenSum => ({
    participantId: 'p',
    partnerName: 'Pat',
    currency: 'usd',
    dueCents: 500,
    hasOpen: true,
    disputedCents: 0,
    inDoubtCents: 0,
    isSuspended: false,
    hasMethod: true,
    isUnconfirmed: false,
    ...fields,
  });
  const terms = (fields: Partial<PreviewTerms> = {}): PreviewTerms => ({
    min: { currency: 'usd', minPayoutCents: 0 },
    paysSuspended: false,
    requireMethod: false,
    requireConfirmed: false,
    ...fields,
  });
  const min = { currency: 'usd', minPayoutCents: 500 };

  it.each<[string, Partial<OpenSum>, Partial<PreviewTerms>, [string, number][]]>([
    ['nobody who only did not fit', {}, {}, []],
    ['nobody who has nothing open', { hasOpen: false, dueCents: 0 }, {}, []],
    ['a partner in debt', { dueCents: -1 }, {}, [['debt', -1]]],
    ['one whose debt is all that is due', { dueCents: 0 }, {}, [['debt', 0]]],
    ['not one of whom a cent is due', { dueCents: 1 }, {}, []],
    [
      'one whose only way came with an import',
      { isUnconfirmed: true },
      { requireConfirmed: true },
      [['unconfirmed_method', 500]],
    ],
    ['not one of whom that is not asked', { isUnconfirmed: true }, {}, []],
    ['a suspended one', { isSuspended: true }, {}, [['suspended', 500]]],
    ['a suspended one in debt', { isSuspended: true, dueCents: -1 }, {}, [['suspended', -1]]],
    ['not one who is named', { isSuspended: true }, { paysSuspended: true }, []],
    ['one without a method', { hasMethod: false }, { requireMethod: true }, [['no_method', 500]]],
    ['not if none is asked for', { hasMethod: false }, {}, []],
    ['not one who has one', {}, { requireMethod: true }, []],
    ['one below the minimum', { dueCents: 499 }, { min }, [['below_minimum', 499]]],
    ['not one at the minimum', {}, { min }, []],
    ['not one of another currency', { currency: 'eur', dueCents: 1 }, { min }, []],
    ['one below a whole unit', { currency: 'huf', dueCents: 99 }, {}, [['below_minimum', 99]]],
    ['what is disputed', { hasOpen: false, dueCents: 0, disputedCents: 1 }, {}, [['disputed', 1]]],
    ['what is in doubt', { hasOpen: false, dueCents: 0, inDoubtCents: 1 }, {}, [['attention', 1]]],
    [
      'what is disputed beside a debt',
      { dueCents: -5, disputedCents: 7 },
      {},
      [
        ['debt', -5],
        ['disputed', 7],
      ],
    ],
  ])('is told with the reasons: %s', (_case, sum, rest, expected) => {
    const { participantId, partnerName, currency } = open(sum);
    const who = { participantId, partnerName, currency };
    expect(leftOutOf([open(sum)], [], terms(rest))).toEqual(
      expected.map(([why, amountCents]) => ({ ...who, amountCents, why })),
    );
  });

  it('not who is among the items, save for what is disputed', () => {
    const item = { participantId: 'p', currency: 'usd', amountCents: 500, lines: [] };
    const sum = open({ dueCents: -1, disputedCents: 3 });
    expect(leftOutOf([sum], [item], terms())).toMatchObject([{ why: 'disputed' }]);
    const other = { ...item, currency: 'eur' };
    expect(leftOutOf([open({ dueCents: -1 })], [other], terms())).toMatchObject([{ why: 'debt' }]);
  });
});
