import {
  isGivenBack,
  isLost,
  isRestNotShown,
  mergeCharges,
  mergeDisputes,
  mergeRefunds,
  paymentOfCharge,
  readCharge,
  readDispute,
  readRefund,
  refundTime,
  shownRefundsOf,
  type ChargeFact,
  type DisputeFact,
  type RefundFact,
} from '../../../entities/rules/stripe/charge-fact';

const at = '2026-01-01T00:00:00.000Z';
const later = '2026-01-02T00:00:00.000Z';

describe('a charge', () => {
  it('is read as it is', () => {
    const charge = { currency: 'USD', amount: 1, amount_captured: 1, amount_refunded: 0 };
    expect(readCharge(charge, at)).toStrictEqual({
      kind: 'charge',
      amountCents: 1,
      capturedCents: 1,
      currency: 'usd',
      succeeded: true,
      snapshots: [{ at, refundedCents: 0 }],
      balanceTransactionId: null,
      feeCents: null,
    });
  });

  it.each([
    [{ status: 'succeeded', paid: true }, true],
    [{ status: 'failed', paid: true }, false],
    [{ status: 'succeeded', paid: false }, false],
    [{}, true],
  ])('with %j succeeded: %s', (fields, expected) => {
    expect(readCharge(fields, at).succeeded).toBe(expected);
  });

  it.each([
    [{}, undefined],
    [{ metadata: { other: 'x' } }, undefined],
    [{ metadata: { aff_click_id: 'c1' }, invoice: 'in_1' }, undefined],
    [{ invoice: 'in_1' }, undefined],
    [
      { metadata: { aff_click_id: 'c1' }, customer: 'cus_1' },
      { clickIds: ['c1'], customerId: 'cus_1', paidAt: at },
    ],
  ])('with %j names the sale %j', (fields, expected) => {
    expect(readCharge(fields, at).sale).toStrictEqual(expected);
  });

  const sale = { clickIds: ['c1'], customerId: null, paidAt: at };
  const paid: ChargeFact = {
    kind: 'charge',
    amountCents: 2,
    capturedCents: 1,
    currency: 'usd',
    succeeded: true,
    snapshots: [],
    balanceTransactionId: null,
    feeCents: null,
    sale,
  };

  it('is a payment by itself when it names a click and took something', () => {
    expect(paymentOfCharge(paid)).toStrictEqual({
      kind: 'direct',
      paid: true,
      amountCents: 1,
      chargedCents: 1,
      currency: 'usd',
      paidAt: at,
      completedAt: null,
      metadataClickIds: ['c1'],
      clientReferenceId: null,
      promotions: [],
      hidesPromotions: false,
      subscriptionId: null,
      customerId: null,
    });
    const { sale: _sale, ...unnamed } = paid;
    expect(paymentOfCharge(unnamed)).toBeUndefined();
    expect(paymentOfCharge({ ...paid, succeeded: false })).toBeUndefined();
    expect(paymentOfCharge({ ...paid, capturedCents: 0 })).toBeUndefined();
    expect(paymentOfCharge({ ...paid, capturedCents: null })).toBeUndefined();
  });

  it('shows its refunds with or without what was released', () => {
    const snapshots = [{ at, refundedCents: 0, shownCents: 5 }];
    const released = { ...paid, snapshots, restNotShownOf: 1 };
    expect(isRestNotShown(released)).toBe(true);
    expect(shownRefundsOf(released)).toStrictEqual([{ at, refundedCents: 5 }]);
    expect(shownRefundsOf({ ...released, restNotShownOf: 2 })).toStrictEqual(snapshots);
    expect(isRestNotShown({ ...released, restNotShownOf: null, capturedCents: null })).toBe(false);
  });

  const bare: ChargeFact = {
    kind: 'charge',
    amountCents: 10,
    currency: '',
    succeeded: false,
    snapshots: [],
    balanceTransactionId: null,
    feeCents: null,
  };
  const full: ChargeFact = {
    ...bare,
    amountCents: 20,
    capturedCents: 20,
    currency: 'usd',
    succeeded: true,
    snapshots: [{ at, refundedCents: 3 }],
    restNotShownOf: 4,
    balanceTransactionId: 'txn_1',
    feeCents: 5,
    sale,
  };

  it('is what both of two events tell, in either order', () => {
    expect(mergeCharges(bare, full)).toStrictEqual(full);
    expect(mergeCharges(full, bare)).toStrictEqual(full);
    expect(mergeCharges(bare, bare)).toStrictEqual({ ...bare, capturedCents: null });
    const other = {
      ...full,
      amountCents: 15,
      capturedCents: 25,
      restNotShownOf: 2,
      balanceTransactionId: 'txn_2',
      feeCents: 1,
      sale: { clickIds: ['c2'], customerId: 'cus_2', paidAt: later },
      snapshots: [
        { at: later, refundedCents: 1 },
        { at, refundedCents: 1, shownCents: 9 },
      ],
    };
    const both = {
      ...full,
      capturedCents: 25,
      balanceTransactionId: 'txn_2',
      snapshots: [
        { at, refundedCents: 3, shownCents: 9 },
        { at: later, refundedCents: 1 },
      ],
      sale: { clickIds: ['c1', 'c2'], customerId: 'cus_2', paidAt: at },
    };
    expect(mergeCharges(full, other)).toStrictEqual(both);
    expect(mergeCharges(other, full)).toStrictEqual(both);
    const own = { ...full, sale: { ...sale, customerId: 'cus_1' } };
    expect(mergeCharges(own, other).sale?.customerId).toBe('cus_1');
    const first = mergeCharges(
      { ...full, sale: { ...sale, clickIds: ['a'] } },
      { ...full, sale: { ...sale, clickIds: ['b'] } },
    );
    expect(first.sale?.clickIds).toEqual(['a', 'b']);
  });
});

describe('a refund', () => {
  it.each([
    ['succeeded', { issued: true, failedAt: null }],
    ['failed', { issued: true, failedAt: at }],
    ['canceled', { issued: true, failedAt: at }],
    ['requires_action', { issued: false, failedAt: null }],
  ])('that is %s', (status, expected) => {
    const refund = { status, currency: 'USD', amount: 7, charge: 'ch_1', payment_intent: 'pi_1' };
    expect(readRefund(refund, at)).toStrictEqual({
      kind: 'refund',
      amountCents: 7,
      toldAt: at,
      chargeId: 'ch_1',
      paymentIntentId: 'pi_1',
      ...expected,
    });
  });

  it('is what both of two events tell, in either order', () => {
    const bare: RefundFact = {
      kind: 'refund',
      amountCents: 5,
      issued: false,
      failedAt: null,
      chargeId: null,
      paymentIntentId: null,
    };
    const full: RefundFact = {
      kind: 'refund',
      amountCents: 7,
      issued: true,
      failedAt: later,
      chargeId: 'ch_1',
      paymentIntentId: 'pi_1',
    };
    expect(mergeRefunds(bare, full)).toStrictEqual(full);
    expect(mergeRefunds(full, bare)).toStrictEqual(full);
    expect(mergeRefunds(full, { ...full, failedAt: at }).failedAt).toBe(at);
    expect(mergeRefunds({ ...full, failedAt: at }, full).failedAt).toBe(at);
  });

  it('has its own time where it tells one', () => {
    expect(refundTime({ created: 0 }, at)).toBe('1970-01-01T00:00:00.000Z');
    expect(refundTime({}, at)).toBe(at);
  });
});

describe('a dispute', () => {
  it.each<[string | undefined, boolean, DisputeFact['state'], string | null]>([
    ['needs_response', false, 'open', null],
    [undefined, false, 'open', null],
    [undefined, true, 'ended', at],
    ['appeal_under_review', true, 'ended', at],
    ['lost', false, 'lost', at],
    ['won', true, 'released', at],
    ['warning_closed', true, 'released', at],
    ['prevented', false, 'prevented', at],
  ])('that is %s, closed %s, is %s', (status, closed, state, closedAt) => {
    expect(readDispute({ status, currency: 'usd', amount: 4 }, at, closed)).toStrictEqual({
      kind: 'dispute',
      amountCents: 4,
      currency: 'usd',
      state,
      closedAt,
    });
  });

  it('tells where the money went', () => {
    const balance_transactions = [
      { id: 'txn_1', amount: -4, net: -19 },
      { id: 'txn_2', net: 4 },
      { id: 'txn_3' },
      { amount: 5 },
    ];
    expect(readDispute({ balance_transactions }, at, true).moved).toStrictEqual({
      txn_1: -4,
      txn_2: 4,
    });
  });

  const ended: DisputeFact = { kind: 'dispute', amountCents: 4, state: 'ended', closedAt: at };
  it.each<[Partial<DisputeFact>, boolean]>([
    [{ state: 'lost' }, true],
    [{ state: 'open', moved: { a: -1 } }, false],
    [{ state: 'released', moved: { a: -1 } }, false],
    [{ moved: { a: -1 } }, true],
    [{ moved: { a: -1, b: 1 } }, false],
    [{}, false],
  ])('with %j is lost: %s', (fields, expected) => {
    expect(isLost({ ...ended, ...fields })).toBe(expected);
  });

  it('was given back when it was prevented and nothing else moved', () => {
    expect(isGivenBack({ ...ended, state: 'prevented' })).toBe(true);
    expect(isGivenBack({ ...ended, state: 'prevented', moved: { a: -1 } })).toBe(false);
    expect(isGivenBack(ended)).toBe(false);
  });

  it('is what both of two events tell, in either order', () => {
    const open: DisputeFact = { kind: 'dispute', amountCents: 5, state: 'open', closedAt: null };
    const lost: DisputeFact = { ...ended, state: 'lost' };
    const won: DisputeFact = { ...ended, state: 'released', closedAt: later, moved: { a: -4 } };
    const both = (a: DisputeFact, b: DisputeFact, expected: DisputeFact): void => {
      expect(mergeDisputes(a, b)).toStrictEqual(expected);
      expect(mergeDisputes(b, a)).toStrictEqual(expected);
    };
    both(open, lost, { ...lost, amountCents: 5 });
    both(open, open, open);
    both(lost, won, won);
    both(lost, { ...won, closedAt: at }, { ...lost, moved: { a: -4 } });
    both({ ...lost, moved: { b: 1 } }, won, { ...won, moved: { a: -4, b: 1 } });
  });
});
