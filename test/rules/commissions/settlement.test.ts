import fc from 'fast-check';
import { percentageAmount } from '../../../entities/rules/commissions/amount';
import { planPayout } from '../../../entities/rules/payouts/plan';
import { refundedAmount, settlementFor } from '../../../entities/rules/commissions/settlement';
import type { SettledCommission } from '../../../entities/rules/commissions/settlement';
import { pinnedTerms as terms, settlementFacts as facts } from '../../support/settled-sale';

const commission = (overrides: Partial<SettledCommission> = {}): SettledCommission => ({
  status: 'pending',
  statusBeforeRefund: null,
  terms: terms(),
  conversionAmountCents: 10_000,
  feeCents: null,
  originalAmountCents: 2_000,
  amountCents: 2_000,
  heldCents: 0,
  reviewReasons: [],
  inPayout: false,
  ...overrides,
});

describe('a settlement (commissions.md, Ledger)', () => {
  it('takes the greater of both sources of refunds, with tax only against the charge', () => {
    const some = facts({
      apiRefundedCents: 2_500,
      chargeCents: 11_900,
      processorRefundedCents: 5_950,
    });
    expect(settlementFor(commission(), some).next.amountCents).toBe(1_000);
    expect(refundedAmount(some)).toBe(5_000);
  });

  it('adds lost disputes and never goes above the whole', () => {
    const lost = facts({
      chargeCents: 10_000,
      processorRefundedCents: 7_000,
      lostDisputeCents: 7_000,
    });
    expect(settlementFor(commission(), lost).next).toMatchObject({
      status: 'refunded',
      amountCents: 0,
    });
    expect(settlementFor(commission(), lost).cause).toBe('dispute');
  });

  it('keeps a flat amount until all came back', () => {
    const flat = commission({ terms: terms({ type: 'flat', rateBps: null, amountCents: 2_000 }) });
    const partly = settlementFor(flat, facts({ apiRefundedCents: 9_999 }));
    expect(partly.changed).toBe(false);
    expect(settlementFor(flat, facts({ apiRefundedCents: 10_000 })).next.status).toBe('refunded');
  });

  it('leaves the status when a partial refund rounds the rest to nothing', () => {
    const small = commission({ originalAmountCents: 1, amountCents: 1 });
    const result = settlementFor(small, facts({ apiRefundedCents: 9_000 }));
    expect(result.next).toMatchObject({ status: 'pending', amountCents: 0 });
    expect(result.refunded).toBe(true);
  });

  it('says nothing of a refund that changes nothing', () => {
    const result = settlementFor(commission({ originalAmountCents: 1, amountCents: 1 }), {
      ...facts({ apiRefundedCents: 1 }),
    });
    expect(result).toMatchObject({ changed: false, refunded: false, lines: [] });
  });

  it('changes nothing after a rejection', () => {
    const rejected = commission({ status: 'rejected' });
    expect(settlementFor(rejected, facts({ apiRefundedCents: 10_000 })).changed).toBe(false);
  });

  it('names a lost dispute once, and what comes afterwards by its own name', () => {
    const lost = facts({ chargeCents: 10_000, lostDisputeCents: 4_000 });
    const after = settlementFor(commission(), lost);
    expect(after.cause).toBe('dispute');
    const known = { ...lost, settledLostCents: 4_000 };
    expect(settlementFor(after.next, { ...known, processorRefundedCents: 2_000 }).cause).toBe(
      'refund',
    );
    const both = settlementFor(after.next, { ...known, processorRefundedCents: 2_000 }).next;
    expect(settlementFor(both, known).cause).toBe('refund');
  });

  it.each(['paid', 'refunded', 'pending', 'approved'] as const)(
    'keeps the flag of an open dispute on a %s commission, and its close clears it',
    (status) => {
      const before = status === 'refunded' ? ('approved' as const) : null;
      const reviewReasons = ['DISPUTED' as const];
      const disputed = commission({ status, statusBeforeRefund: before, reviewReasons });
      const back = status === 'refunded' ? 10_000 : 0;
      const open = facts({ openDisputes: 1, chargeCents: 10_000, processorRefundedCents: back });
      expect(settlementFor(disputed, open).next.reviewReasons).toEqual(['DISPUTED']);
      expect(settlementFor(disputed, { ...open, openDisputes: 0 }).next.reviewReasons).toEqual([]);
    },
  );

  it('does not flag a commission that is paid already', () => {
    const open = facts({ openDisputes: 1, chargeCents: 10_000 });
    expect(settlementFor(commission({ status: 'paid' }), open).next.reviewReasons).toEqual([]);
  });

  it('claws back what was paid and leaves the status', () => {
    const result = settlementFor(
      commission({ status: 'paid' }),
      facts({ apiRefundedCents: 10_000 }),
    );
    expect(result.next.status).toBe('paid');
    expect(result.lines).toEqual([{ type: 'clawback', amountCents: -2_000 }]);
  });

  it('claws back in a running payout, and becomes refunded once that is cancelled', () => {
    const all = facts({ apiRefundedCents: 10_000 });
    const running = settlementFor(commission({ status: 'approved', inPayout: true }), all).next;
    expect(running).toMatchObject({ status: 'approved', amountCents: 0 });
    const freed = settlementFor({ ...running, inPayout: false }, all);
    expect(freed.next.status).toBe('refunded');
    expect(freed).toMatchObject({ lines: [], refunded: true });
  });

  it('returns to the status before when the refund fails', () => {
    const refunded = settlementFor(
      commission({ status: 'approved' }),
      facts({ chargeCents: 100, processorRefundedCents: 100 }),
    ).next;
    const back = settlementFor(refunded, facts({ chargeCents: 100 }));
    expect(back.next).toMatchObject({ status: 'approved', amountCents: 2_000 });
    expect(back.refunded).toBe(false);
    expect(back.lines).toEqual([{ type: 'refund', amountCents: 2_000 }]);
  });

  it('keeps all of a disputed commission back, and releases it', () => {
    const held = settlementFor(commission(), facts({ openDisputes: 1 }));
    expect(held.next.reviewReasons).toEqual(['DISPUTED']);
    expect(held.lines).toEqual([{ type: 'dispute_hold', amountCents: -2_000 }]);
    const won = settlementFor(held.next, facts());
    expect(won.next.reviewReasons).toEqual([]);
    expect(won.lines).toEqual([{ type: 'dispute_release', amountCents: 2_000 }]);
  });

  it('settles the fee of a net commission', () => {
    const net = commission({ terms: terms({ basis: 'net' }), reviewReasons: ['FEE_UNKNOWN'] });
    const result = settlementFor(net, facts({ feeCents: 500 }));
    expect(result.next).toMatchObject({
      originalAmountCents: 1_900,
      amountCents: 1_900,
      feeCents: 500,
      reviewReasons: [],
    });
    expect(result.lines).toEqual([{ type: 'fee_settlement', amountCents: -100 }]);
  });
});

const anyFacts = fc.record({
  amountCents: fc.constant(10_000),
  apiRefundedCents: fc.integer({ min: 0, max: 10_000 }),
  chargeCents: fc.constantFrom(null, 10_000, 11_900),
  processorRefundedCents: fc.integer({ min: 0, max: 11_900 }),
  lostDisputeCents: fc.integer({ min: 0, max: 11_900 }),
  settledLostCents: fc.constant(0),
  openDisputes: fc.integer({ min: 0, max: 2 }),
  feeCents: fc.option(fc.integer({ min: 0, max: 12_000 })),
});

const anyCommission = fc
  .record({
    isNet: fc.boolean(),
    rateBps: fc.integer({ min: 1, max: 10_000 }),
    status: fc.constantFrom('pending', 'approved', 'paid') as fc.Arbitrary<
      SettledCommission['status']
    >,
    inPayout: fc.boolean(),
  })
  .map(({ isNet, rateBps, status, inPayout }) => {
    const pinned = terms({ rateBps, basis: isNet ? 'net' : 'gross' });
    const original = percentageAmount(pinned, { amountCents: 10_000, feeCents: null });
    return commission({
      status,
      terms: pinned,
      originalAmountCents: original,
      amountCents: original,
      reviewReasons: isNet ? ['FEE_UNKNOWN'] : [],
      inPayout: inPayout && status === 'approved',
    });
  });

describe('any sequence of settlements', () => {
  it('keeps the ledger at what is due less what is held, and the due within its bounds', () => {
    fc.assert(
      fc.property(anyCommission, fc.array(anyFacts, { maxLength: 6 }), (start, sequence) => {
        let sum = start.originalAmountCents;
        let state = start;
        for (const step of sequence) {
          const result = settlementFor(state, step);
          state = result.next;
          sum += result.lines.reduce((total, line) => total + line.amountCents, 0);
          expect(sum).toBe(state.amountCents - state.heldCents);
          expect(state.amountCents).toBeGreaterThanOrEqual(0);
          expect(state.amountCents).toBeLessThanOrEqual(state.originalAmountCents);
          expect(state.originalAmountCents).toBeLessThanOrEqual(10_000);
        }
      }),
    );
  });

  it('ends where its last facts alone would have led, and a repeat changes nothing', () => {
    fc.assert(
      fc.property(anyCommission, fc.array(anyFacts), anyFacts, (start, before, last) => {
        // A fee, once known, stays known: the others are whatever the last facts say.
        const fee = { feeCents: 300 };
        const roundabout = [...before, last].reduce(
          (state, step) => settlementFor(state, { ...step, ...fee }).next,
          start,
        );
        const direct = settlementFor(start, { ...last, ...fee }).next;
        expect(roundabout).toEqual(direct);
        expect(settlementFor(direct, { ...last, ...fee }).changed).toBe(false);
      }),
    );
  });
});

describe('a payout', () => {
  const payable = (participantId: string, amountCents: number, currency = 'usd') => ({
    commissionId: `${participantId}${currency}${amountCents}`,
    participantId,
    currency,
    amountCents,
    isPayable: amountCents > 0,
  });
  const least = (minPayoutCents: number) => ({ currency: 'usd', minPayoutCents });

  it('nets debts by partner and currency and leaves out who is owed nothing', () => {
    const items = planPayout(
      [
        payable('a', 500),
        payable('a', -200),
        payable('a', 70, 'eur'),
        payable('b', 100),
        payable('b', -100),
        payable('c', -5),
      ],
      least(0),
    );
    expect(
      items.map(({ participantId, currency, amountCents }) => [
        participantId,
        currency,
        amountCents,
      ]),
    ).toEqual([
      ['a', 'usd', 300],
      ['a', 'eur', 70],
    ]);
    expect(items[0]?.lines).toHaveLength(2);
  });

  it('carries what is below the least payout', () => {
    expect(planPayout([payable('a', 99)], least(100))).toEqual([]);
    expect(planPayout([payable('a', 100)], least(100))).toHaveLength(1);
    expect(planPayout([payable('a', 99, 'jpy')], least(100))).toHaveLength(1);
  });

  it('is a sum that a number holds exactly; the rest is for the next', () => {
    const most = 1_000_000_000_000;
    const many = Array.from({ length: 10_000 }, () => payable('a', most));
    const [item] = planPayout(many, least(0));
    expect(item?.lines).toHaveLength(9_007);
    expect(item?.amountCents).toBe(9_007 * most);
  });
});
