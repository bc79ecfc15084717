import fc from 'fast-check';
import {
  refundedAmount,
  settlementFor,
  type SettledCommission,
  type SettlementFacts,
} from '../../../entities/rules/commissions/settlement';
import { commissionMoves, commissionTriggers } from '../../../entities/rules/commissions/status';
import { testMoves } from '../../support/moves';
import { settlementFacts } from '../../support/settled-sale';

const percentage = { type: 'percentage', basis: 'gross', rateBps: 2_000, amountCents: null };
const flatTerms = { type: 'flat', basis: 'gross', rateBps: null, amountCents: 2_000 };

function commission(overrides: Partial<SettledCommission> = {}): SettledCommission {
  return {
    status: 'approved',
    statusBeforeRefund: null,
    terms: percentage as SettledCommission['terms'],
    conversionAmountCents: 10_000,
    feeCents: null,
    originalAmountCents: 2_000,
    amountCents: 2_000,
    heldCents: 0,
    reviewReasons: [],
    inPayout: false,
    ...overrides,
  };
}

const flat = (overrides: Partial<SettledCommission> = {}): SettledCommission =>
  commission({ terms: flatTerms as SettledCommission['terms'], ...overrides });

const facts = (overrides: Partial<SettlementFacts> = {}): SettlementFacts =>
  settlementFacts({ chargeCents: 10_000, ...overrides });

describe('a flat commission', () => {
  it('is owed whole until all came back, and then not at all', () => {
    const nearly = settlementFor(flat(), facts({ apiRefundedCents: 9_999 }));
    expect(nearly).toMatchObject({ changed: false, refunded: false, lines: [] });
    const whole = settlementFor(flat(), facts({ apiRefundedCents: 10_000 }));
    expect(whole.next).toMatchObject({ status: 'refunded', amountCents: 0 });
    expect(whole.lines).toEqual([{ type: 'refund', amountCents: -2_000 }]);
    expect(whole).toMatchObject({ refunded: true, changed: true, cause: 'refund' });
  });

  it('is owed back once it was paid', () => {
    const paid = settlementFor(flat({ status: 'paid' }), facts({ apiRefundedCents: 10_000 }));
    expect(paid.next).toMatchObject({ status: 'paid', amountCents: 0 });
    expect(paid.lines).toEqual([{ type: 'clawback', amountCents: -2_000 }]);
  });
});

describe('an open dispute', () => {
  const open = facts({ openDisputes: 1 });

  it('takes nothing back of what is paid, and leaves no debt', () => {
    const result = settlementFor(commission({ status: 'paid' }), open);
    expect(result).toMatchObject({ changed: false, lines: [] });
    expect(result.next.heldCents).toBe(0);
  });

  it('flags what is being paid and keeps nothing of it back', () => {
    const result = settlementFor(commission({ inPayout: true }), open);
    expect(result.lines).toEqual([]);
    expect(result.next).toMatchObject({ heldCents: 0, reviewReasons: ['DISPUTED'] });
    expect(result).toMatchObject({ changed: true, refunded: false });
  });

  it('keeps back what a cancelled payout sets free', () => {
    const running = settlementFor(commission({ inPayout: true }), open).next;
    const freed = settlementFor({ ...running, inPayout: false }, open);
    expect(freed.lines).toEqual([{ type: 'dispute_hold', amountCents: -2_000 }]);
  });

  it('releases what it held when the payout takes it up meanwhile', () => {
    const held = settlementFor(commission(), open).next;
    const taken = settlementFor({ ...held, inPayout: true }, open);
    expect(taken.lines).toEqual([{ type: 'dispute_release', amountCents: 2_000 }]);
  });

  it('holds and releases a single cent by name', () => {
    const one = commission({ originalAmountCents: 1, amountCents: 1 });
    const held = settlementFor(one, open);
    expect(held.lines).toEqual([{ type: 'dispute_hold', amountCents: -1 }]);
    expect(settlementFor(held.next, facts()).lines).toEqual([
      { type: 'dispute_release', amountCents: 1 },
    ]);
  });
});

describe('a fee', () => {
  const net = (overrides: Partial<SettledCommission> = {}): SettledCommission =>
    commission({
      terms: { ...percentage, basis: 'net' } as SettledCommission['terms'],
      ...overrides,
    });

  it('once known stays known', () => {
    const known = settlementFor(net(), facts({ feeCents: 500 })).next;
    expect(known).toMatchObject({ feeCents: 500, originalAmountCents: 1_900 });
    const later = settlementFor(known, facts({ feeCents: null }));
    expect(later).toMatchObject({ changed: false, lines: [] });
    expect(later.next.feeCents).toBe(500);
  });

  it('of nothing clears the flag', () => {
    const flagged = net({ reviewReasons: ['FEE_UNKNOWN'] });
    expect(settlementFor(flagged, facts()).next.reviewReasons).toEqual(['FEE_UNKNOWN']);
    const settled = settlementFor(flagged, facts({ feeCents: 0 }));
    expect(settled.next).toMatchObject({ reviewReasons: [], feeCents: 0 });
    expect(settled.changed).toBe(true);
  });

  it('does not count for gross terms', () => {
    const result = settlementFor(commission(), facts({ feeCents: 500 }));
    expect(result).toMatchObject({ changed: false, lines: [] });
    expect(result.next.feeCents).toBeNull();
  });
});

describe('what a settlement is called', () => {
  it('is the dispute that was lost, beside a partial refund of before', () => {
    const result = settlementFor(
      commission(),
      facts({ lostDisputeCents: 4_000, processorRefundedCents: 1_000 }),
    );
    expect(result).toMatchObject({ cause: 'dispute', refunded: true });
    expect(result.lines).toEqual([{ type: 'refund', amountCents: -1_000 }]);
  });

  it('is the refund, when refunds alone already took all', () => {
    const result = settlementFor(
      commission(),
      facts({ lostDisputeCents: 4_000, processorRefundedCents: 10_000 }),
    );
    expect(result.cause).toBe('refund');
  });

  it('is the dispute of a single cent', () => {
    expect(settlementFor(commission(), facts({ lostDisputeCents: 1 })).cause).toBe('dispute');
  });

  it('stays the dispute where a later look moves nothing by refunds', () => {
    const lost = facts({ lostDisputeCents: 4_000, settledLostCents: 4_000 });
    const settled = commission({ amountCents: 1_200 });
    expect(settlementFor(settled, lost)).toMatchObject({ cause: 'dispute', changed: false });
  });

  it('is the refund where a fee moves beside it', () => {
    const net = commission({
      terms: { ...percentage, basis: 'net' } as SettledCommission['terms'],
    });
    const both = facts({
      lostDisputeCents: 1_000,
      settledLostCents: 1_000,
      processorRefundedCents: 2_000,
      feeCents: 500,
    });
    const result = settlementFor(net, both);
    expect(result.lines.map(({ type }) => type)).toEqual(['fee_settlement', 'refund']);
    expect(result.cause).toBe('refund');
  });

  it('of a rejected commission is nothing', () => {
    expect(settlementFor(commission({ status: 'rejected' }), facts())).toMatchObject({
      refunded: false,
      changed: false,
      lines: [],
    });
  });
});

it('a change of flags alone is a change', () => {
  const swapped = commission({ reviewReasons: ['FRAUD_SUSPECTED', 'DISPUTED'] });
  expect(settlementFor(swapped, facts()).changed).toBe(true);
  expect(settlementFor(swapped, facts({ openDisputes: 1 })).next.reviewReasons).toEqual([
    'FRAUD_SUSPECTED',
    'DISPUTED',
  ]);
});

it('two settlements by the same facts write nothing twice, by flat terms and percentages', () => {
  const anyFacts = fc.record({
    apiRefundedCents: fc.integer({ min: 0, max: 10_000 }),
    processorRefundedCents: fc.constantFrom(0, 1, 4_000, 9_999, 10_000),
    lostDisputeCents: fc.constantFrom(0, 6_000, 10_000),
    openDisputes: fc.nat(1),
  });
  fc.assert(
    fc.property(fc.boolean(), fc.array(anyFacts, { minLength: 1 }), (isFlat, sequence) => {
      let state = isFlat ? flat() : commission();
      let sum = 2_000;
      for (const step of sequence) {
        const result = settlementFor(state, facts(step));
        sum += result.lines.reduce((total, line) => total + line.amountCents, 0);
        expect(sum).toBe(result.next.amountCents - result.next.heldCents);
        expect(settlementFor(result.next, facts(step)).lines).toEqual([]);
        if (isFlat) {
          const isWhole = refundedAmount(facts(step)) === 10_000;
          expect([0, 2_000]).toContain(result.next.amountCents);
          if (result.next.amountCents === 0) expect(isWhole).toBe(true);
        }
        state = result.next;
      }
    }),
  );
});

describe('every move of a commission', () => {
  testMoves(commissionMoves, commissionTriggers, [
    ['pending', 'approve', 'approved'],
    ['pending', 'approve_override', 'approved'],
    ['pending', 'hold_elapsed', 'approved'],
    ['pending', 'reject', 'rejected'],
    ['pending', 'refund', 'refunded'],
    ['pending', 'dispute', 'refunded'],
    ['approved', 'reject', 'rejected'],
    ['approved', 'payout', 'paid'],
    ['approved', 'refund', 'refunded'],
    ['approved', 'dispute', 'refunded'],
    ['refunded', 'refund', 'pending'],
    ['refunded', 'refund', 'approved'],
    ['refunded', 'dispute', 'pending'],
    ['refunded', 'dispute', 'approved'],
    ['refunded', 'refund', 'paid'],
    ['refunded', 'dispute', 'paid'],
    ['paid', 'payout_returned', 'approved'],
    ['pending', 'recredit', 'rejected'],
    ['approved', 'recredit', 'rejected'],
    ['refunded', 'recredit', 'rejected'],
    ['rejected', 'recredit', 'pending'],
    ['pending', 'bonus_lost', 'rejected'],
    ['rejected', 'bonus', 'pending'],
  ]);
});
