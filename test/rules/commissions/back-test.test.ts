import { dueBy, dueOf, earns, type PastSale } from '../../../entities/rules/commissions/back-test';
import { defaultGroupOf } from '../../../entities/rules/programs/groups';
import { settlementFacts } from '../../support/settled-sale';

const rank = (number: number, month: number) => ({ number, month, since: new Date(0) });
const facts = settlementFacts();
const past = (fields: Partial<PastSale> = {}): PastSale => ({
  sale: {
    ...{ eventType: 'purchase', participantId: 'ann', currency: 'eur', amountCents: 10_000 },
    ...{ items: null, metadata: null, rank: rank(1, 0) },
  },
  ...{ isOwn: false, isPart: false, facts },
  ...fields,
});
const percentage = {
  type: 'percentage',
  rateBps: 2_000,
  amountCents: null,
  basis: 'gross',
} as const;
const terms = { ...percentage, recurring: false, recurringMonths: null };

it.each([
  ['its own signals always earn', true, null, false, null, true],
  ['what is no payment does not', false, null, true, null, false],
  ['a first payment earns', false, rank(1, 0), false, null, true],
  ['a later one does not', false, rank(2, 1), false, null, false],
  ['but where renewals earn', false, rank(2, 1), true, null, true],
  ['within the months', false, rank(12, 11), true, 12, true],
  ['and not after them', false, rank(13, 12), true, 12, false],
] as const)(
  'what a sale would have earned: %s',
  (_what, isOwn, ofSale, recurring, recurringMonths, is) => {
    const sale = { ...past().sale, rank: ofSale };
    expect(earns(past({ isOwn, sale }), { recurring, recurringMonths })).toBe(is);
  },
);

describe('what a past sale is worth', () => {
  const flat = { type: 'flat', rateBps: null, amountCents: 500, basis: null } as const;

  it('is what the terms make of it', () => {
    expect(dueBy(percentage, past(), 'usd')).toEqual({ currency: 'eur', amountCents: 2_000 });
    expect(dueBy(flat, past(), 'usd')).toEqual({ currency: 'usd', amountCents: 500 });
    expect(dueBy(percentage, past({ isPart: true }), 'usd')).not.toBeNull();
    expect(dueBy(flat, past({ isPart: true }), 'usd')).toBeNull();
    expect(dueBy({ ...percentage, type: 'none' }, past(), 'usd')).toBeNull();
  });

  it('names the rule, also where the sale earns nothing', () => {
    const rule = { ...flat, name: 'All', match: {}, holdDays: null, autoApprove: null };
    const source = {
      ...{ currency: 'usd', terms, rules: [rule], holdDays: 0, autoApprove: true },
      group: defaultGroupOf('program'),
    };
    expect(dueOf(source, past())).toEqual({
      due: { currency: 'usd', amountCents: 500 },
      rule: 'All',
    });
    const later = past({ sale: { ...past().sale, rank: rank(2, 1) } });
    expect(dueOf(source, later)).toEqual({ due: null, rule: 'All' });
  });
});
