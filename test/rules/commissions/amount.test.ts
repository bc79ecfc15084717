import fc from 'fast-check';
import {
  commissionFor,
  judgeTerms,
  percentageAmount,
} from '../../../entities/rules/commissions/amount';
import type { Sale, TermsSource } from '../../../entities/rules/commissions/amount';
import { defaultGroupOf } from '../../../entities/rules/programs/groups';
import type { CommissionRule, EarningTerms } from '../../../entities/rules/programs/terms';
import {
  reviewReasonsFor,
  withReason,
  withoutReason,
} from '../../../entities/rules/commissions/review-reasons';

const gross = (rateBps: number) => ({
  type: 'percentage' as const,
  rateBps,
  amountCents: null,
  basis: 'gross' as const,
});
const net = (rateBps: number): EarningTerms => ({ ...gross(rateBps), basis: 'net' });
const flat = (amountCents: number): EarningTerms => ({
  type: 'flat',
  rateBps: null,
  amountCents,
  basis: null,
});

const rule = (name: string, match: CommissionRule['match'], more = {}): CommissionRule => ({
  name,
  match,
  ...gross(1_000),
  holdDays: null,
  autoApprove: null,
  ...more,
});

const source = (rules: CommissionRule[]): TermsSource => ({
  currency: 'eur',
  terms: { ...gross(2_000), recurring: true, recurringMonths: 12 },
  rules,
  holdDays: 30,
  autoApprove: true,
  group: defaultGroupOf('g1'),
});

const sale: Sale = {
  eventType: 'purchase',
  participantId: 'p1',
  currency: 'eur',
  amountCents: 5_000,
  items: null,
  metadata: null,
  rank: null,
};

describe('the terms of a sale', () => {
  it('are the own terms of the programme when it has no rule', () => {
    expect(judgeTerms(source([]), sale).terms).toEqual({
      ...gross(2_000),
      rule: null,
      source: 'program',
      name: null,
      groupId: 'g1',
      groupName: 'Default',
      customerMonth: null,
      paymentNumber: null,
      recurring: true,
      recurringMonths: 12,
      holdDays: 30,
      autoApprove: true,
    });
  });

  it('are those of the first rule that matches', () => {
    const rules = [rule('big', { minAmountCents: 5_001 }), rule('all', {}), rule('late', {})];
    expect(judgeTerms(source(rules), sale).terms.rule).toBe('all');
  });

  it('take hold and approval from the rule where it sets them', () => {
    const rules = [rule('fast', {}, { holdDays: 0, autoApprove: false })];
    expect(judgeTerms(source(rules), sale).terms).toMatchObject({
      holdDays: 0,
      autoApprove: false,
    });
  });

  it.each<[string, CommissionRule['match'], boolean]>([
    ['nothing at all', {}, true],
    ['the event type', { eventTypes: ['signup', 'purchase'] }, true],
    ['another event type', { eventTypes: ['signup'] }, false],
    ['the participant', { participantIds: ['p1'] }, true],
    ['another participant', { participantIds: ['p2'] }, false],
    ['the currency in any case', { currencies: ['EUR'] }, true],
    ['another currency', { currencies: ['usd'] }, false],
    ['the least amount itself', { minAmountCents: 5_000 }, true],
    ['a higher least amount', { minAmountCents: 5_001 }, false],
    ['one condition of two', { eventTypes: ['purchase'], currencies: ['usd'] }, false],
    ['an empty list', { eventTypes: [] }, false],
  ])('compare %s', (_name, match, expected) => {
    expect(judgeTerms(source([rule('r', match)]), sale).terms.rule).toBe(expected ? 'r' : null);
  });
});

describe('a minimum of a rule', () => {
  const rate = (match: CommissionRule['match'], currency: string | null, amountCents: number) =>
    judgeTerms(source([rule('big', match)]), { ...sale, currency, amountCents }).terms.rule;

  it("is a sum in the programme's currency: others do not reach it", () => {
    const match = { minAmountCents: 10_000 };
    expect(rate(match, 'eur', 9_999)).toBeNull();
    expect(rate(match, 'EUR', 10_000)).toBe('big');
    // 67 dollars and 30 cents, as numbers of minor units no less than the minimum.
    expect(rate(match, 'jpy', 10_000)).toBeNull();
    expect(rate(match, 'huf', 10_000)).toBeNull();
  });

  it('is one in the only currency that the rule names', () => {
    const match = { currencies: ['JPY'], minAmountCents: 10_000 };
    expect(rate(match, 'jpy', 10_000)).toBe('big');
    expect(rate(match, 'jpy', 9_999)).toBeNull();
    expect(rate(match, 'eur', 10_000)).toBeNull();
  });

  it("is one in the programme's currency where the rule names several", () => {
    const match = { currencies: ['jpy', 'eur'], minAmountCents: 10_000 };
    expect(rate(match, 'jpy', 10_000)).toBeNull();
    expect(rate(match, 'eur', 10_000)).toBe('big');
  });

  it('is reached by a sale without an amount only when it is nothing', () => {
    expect(rate({ minAmountCents: 0 }, null, 0)).toBe('big');
    expect(rate({ minAmountCents: 1 }, null, 0)).toBeNull();
  });
});

describe('the amount of a commission (commissions.md, Amounts)', () => {
  it.each<[string, EarningTerms, number, number | null, number | undefined]>([
    ['a fifth', gross(2_000), 4_999, null, 1_000],
    ['a half cent up', gross(5_000), 1, null, 1],
    ['just below a half down', gross(4_999), 1, null, undefined],
    ['all of it', gross(10_000), 1_000_000_000_000, null, 1_000_000_000_000],
    ['more than a double can multiply', gross(3_333), 999_999_999_999, null, 333_300_000_000],
    ['net of the fee', net(2_000), 10_000, 320, 1_936],
    ['net on gross while the fee is unknown', net(2_000), 10_000, null, 2_000],
    ['nothing when the fee eats it', net(2_000), 100, 200, undefined],
    ['nothing of nothing', gross(2_000), 0, null, undefined],
    ['a flat amount, whatever the payment', flat(700), 0, null, 700],
  ])('is %s', (_name, terms, amountCents, feeCents, expected) => {
    const payment = { amountCents, feeCents, currency: 'eur' };
    expect(commissionFor(terms, payment, 'usd')?.amountCents).toBe(expected);
  });

  it('is in the currency of the payment for percentages, of the programme for flat terms', () => {
    const payment = { amountCents: 100, feeCents: null, currency: 'jpy' };
    expect(commissionFor(gross(1_000), payment, 'usd')?.currency).toBe('jpy');
    expect(commissionFor(flat(5), payment, 'usd')?.currency).toBe('usd');
  });

  it('is never negative and never above the payment', () => {
    const amount = fc.integer({ min: 0, max: 1_000_000_000_000 });
    const rate = fc.integer({ min: 1, max: 10_000 });
    fc.assert(
      fc.property(amount, rate, fc.option(amount), fc.boolean(), (cents, bps, fee, isNet) => {
        const terms = isNet ? net(bps) : gross(bps);
        const earned = percentageAmount(terms, { amountCents: cents, feeCents: fee });
        expect(earned).toBeGreaterThanOrEqual(0);
        expect(earned).toBeLessThanOrEqual(cents);
      }),
    );
  });

  it('is within half a minor unit of the exact product', () => {
    const amount = fc.integer({ min: 0, max: 1_000_000_000_000 });
    fc.assert(
      fc.property(amount, fc.integer({ min: 1, max: 10_000 }), (cents, bps) => {
        const earned = percentageAmount(gross(bps), { amountCents: cents, feeCents: null });
        const error = 2n * (BigInt(earned) * 10_000n - BigInt(cents) * BigInt(bps));
        expect(error > -10_000n && error <= 10_000n).toBe(true);
      }),
    );
  });
});

describe('the reasons to review a new commission (commissions.md, Review)', () => {
  const settings = { currency: 'usd', acceptedCurrencies: ['eur'], reviewAboveCents: 1_000 };
  const payment = { amountCents: 9_000, feeCents: null, currency: 'usd' };

  it.each<[string, EarningTerms, object, number, string[]]>([
    ['none', gross(1_000), {}, 900, []],
    ['a fee to come', net(1_000), {}, 900, ['FEE_UNKNOWN']],
    ['no fee to come once it is known', net(1_000), { feeCents: 10 }, 899, []],
    ['an accepted currency is none', gross(1_000), { currency: 'EUR' }, 900, []],
    ['a foreign currency', gross(1_000), { currency: 'gbp' }, 900, ['CURRENCY_MISMATCH']],
    ['no currency at all is none', flat(5), { currency: null }, 5, []],
    ['exactly the limit is none', gross(1_000), {}, 1_000, []],
    ['above the limit', gross(1_000), {}, 1_001, ['AMOUNT_OVER_LIMIT']],
  ])('are given: %s', (_name, terms, more, amountCents, expected) => {
    const earned = { terms, payment: { ...payment, ...more }, amountCents, currency: 'usd' };
    expect(reviewReasonsFor(earned, settings)).toEqual(expected);
  });

  it("compare the limit with commissions in the programme's currency only", () => {
    const euros = { ...payment, currency: 'eur' };
    const earned = { terms: gross(1_000), payment: euros, amountCents: 1_001, currency: 'eur' };
    expect(reviewReasonsFor(earned, settings)).toEqual([]);
    expect(reviewReasonsFor({ ...earned, currency: 'USD' }, settings)).toEqual([
      'AMOUNT_OVER_LIMIT',
    ]);
  });

  it('keep one order, whichever came first', () => {
    expect(withReason(['DISPUTED'], 'FEE_UNKNOWN')).toEqual(['FEE_UNKNOWN', 'DISPUTED']);
    expect(withReason(['FEE_UNKNOWN'], 'FEE_UNKNOWN')).toEqual(['FEE_UNKNOWN']);
    expect(withoutReason(['FEE_UNKNOWN', 'DISPUTED'], 'FEE_UNKNOWN')).toEqual(['DISPUTED']);
  });
});
