import {
  earlierOf,
  isErasedByMerchant,
  type Departed,
} from '../../../entities/rules/partners/earlier';

const left = (more: Partial<Departed>): Departed => ({
  status: 'approved',
  debts: [],
  erasedBy: 'person',
  ...more,
});

describe('who comes back after an erasure (programmes.md, Who comes back after an erasure)', () => {
  it('brings nothing along from a participation that ended in peace', () => {
    expect(earlierOf([])).toBeNull();
    expect(earlierOf([left({}), left({ status: 'left' }), left({ status: 'pending' })])).toBeNull();
  });

  it('brings the gravest status and the sum of all debts, by currency', () => {
    const found = earlierOf([
      left({ status: 'rejected' }),
      left({ debts: [{ currency: 'usd', amountCents: 5 }] }),
      left({
        status: 'suspended',
        debts: [
          { currency: 'usd', amountCents: 7 },
          { currency: 'eur', amountCents: 1 },
        ],
      }),
    ]);
    const debts = [
      { currency: 'eur', amountCents: 1 },
      { currency: 'usd', amountCents: 12 },
    ];
    expect(found).toEqual({ status: 'suspended', debts });
  });

  it('is the status of who only owes', () => {
    const debts = [{ currency: 'usd', amountCents: 5 }];
    expect(earlierOf([left({ status: 'left', debts })])).toEqual({ status: 'left', debts });
  });

  it('knows whom a merchant erased', () => {
    expect(isErasedByMerchant([left({})])).toBe(false);
    expect(isErasedByMerchant([left({}), left({ erasedBy: 'merchant' })])).toBe(true);
  });
});
