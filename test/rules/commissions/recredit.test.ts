import {
  recreditOf,
  type CreditedCommission,
  type Earning,
} from '../../../entities/rules/commissions/recredit';
import { pinnedTerms, settlementFacts } from '../../support/settled-sale';

const terms = pinnedTerms();
const facts = settlementFacts();
const commission = (fields: Partial<CreditedCommission> = {}): CreditedCommission => ({
  status: 'pending',
  statusBeforeRefund: null,
  terms,
  conversionAmountCents: 10_000,
  feeCents: null,
  originalAmountCents: 2_000,
  amountCents: 2_000,
  heldCents: 0,
  reviewReasons: [],
  inPayout: false,
  credited: true,
  commissionType: 'percentage',
  currency: 'usd',
  holdUntil: null,
  holdElapsed: false,
  isRejectedByHand: false,
  ...fields,
});
const earning = (fields: Partial<Earning> = {}): Earning => ({
  commissionType: 'percentage',
  currency: 'usd',
  originalAmountCents: 2_000,
  terms,
  holdUntil: null,
  reviewReasons: [],
  ...fields,
});

const taken = { credited: false, originalAmountCents: 0, amountCents: 0 };
const gone = {
  credited: false,
  status: 'rejected' as const,
  originalAmountCents: 0,
  amountCents: 0,
};

describe('a commission whose sale earns nothing any more (commissions.md, When credit changes)', () => {
  it.each<[string, Partial<CreditedCommission>, [string, number][]]>([
    ['pending', {}, [['recredit', -2_000]]],
    ['approved', { status: 'approved' }, [['recredit', -2_000]]],
    ['partly refunded', { amountCents: 500 }, [['recredit', -500]]],
    ['refunded', { status: 'refunded', statusBeforeRefund: 'pending', amountCents: 0 }, []],
    [
      'disputed',
      { heldCents: 2_000, reviewReasons: ['DISPUTED'] },
      [
        ['dispute_release', 2_000],
        ['recredit', -2_000],
      ],
    ],
  ])('is rejected with 0 while it is %s', (_name, fields, lines) => {
    expect(recreditOf(commission(fields), null, facts)).toEqual({
      kind: 'taken',
      next: {
        ...taken,
        heldCents: 0,
        status: 'rejected',
        statusBeforeRefund: null,
        reviewReasons: [],
      },
      move: { to: 'rejected', trigger: 'recredit' },
      lines: lines.map(([type, amountCents]) => ({ type, amountCents })),
    });
  });

  it.each<[string, Partial<CreditedCommission>]>([
    ['paid', { status: 'paid' }],
    ['in a payout', { status: 'approved', inPayout: true }],
  ])('becomes a debt, its status unchanged, when it is %s', (_name, fields) => {
    expect(recreditOf(commission(fields), null, facts)).toMatchObject({
      next: taken,
      move: null,
      lines: [{ type: 'clawback', amountCents: -2_000 }],
    });
  });

  it('stays as it is when it was taken back before', () => {
    expect(recreditOf(commission(gone), null, facts)).toBeNull();
  });
});

describe('a commission whose sale earns again', () => {
  it('is pending with what is due by the facts of now', () => {
    const half = { ...facts, chargeCents: 10_000, processorRefundedCents: 5_000 };
    expect(recreditOf(commission(gone), earning(), half)).toMatchObject({
      kind: 'given',
      next: { credited: true, status: 'pending', originalAmountCents: 2_000, amountCents: 1_000 },
      move: { to: 'pending', trigger: 'recredit' },
      lines: [{ type: 'recredit', amountCents: 1_000 }],
    });
  });

  it('gives a debt back by the terms that it was paid by', () => {
    const debt = commission({ ...taken, status: 'paid' });
    const better = earning({ terms: { ...terms, rateBps: 4_000 }, originalAmountCents: 4_000 });
    expect(recreditOf(debt, better, facts)).toMatchObject({
      next: { credited: true, originalAmountCents: 2_000, amountCents: 2_000 },
      move: null,
      lines: [{ type: 'clawback', amountCents: 2_000 }],
    });
  });

  it.each([null, earning()])('stays rejected when a person rejected it: %#', (now) => {
    const byHand = commission({ status: 'rejected', isRejectedByHand: true, credited: true });
    const result = recreditOf(byHand, now, facts);
    expect(result === null || (result.kind === 'marked' && result.lines.length === 0)).toBe(true);
    expect(result?.next.status).toBeUndefined();
  });
});

describe('a commission that other terms apply to', () => {
  const other = { ...terms, rateBps: 1_000, rule: 'renewals' };

  it('changes by the difference while it is not paid', () => {
    const now = earning({ terms: other, originalAmountCents: 1_000 });
    expect(recreditOf(commission({ status: 'approved' }), now, facts)).toMatchObject({
      kind: 'changed',
      next: { terms: other, amountCents: 1_000 },
      move: null,
      lines: [{ type: 'recredit', amountCents: -1_000 }],
    });
  });

  it.each<[string, Partial<CreditedCommission>]>([
    ['paid', { status: 'paid' }],
    ['in a payout', { status: 'approved', inPayout: true }],
  ])('keeps its own when it is %s', (_name, fields) => {
    expect(recreditOf(commission(fields), earning({ terms: other }), facts)).toBeNull();
  });

  it('is judged by the new terms only for what follows from the money, until somebody looked', () => {
    const flagged = commission({ reviewReasons: ['FRAUD_SUSPECTED', 'AMOUNT_OVER_LIMIT'] });
    const now = earning({ terms: other, originalAmountCents: 1_000 });
    expect(recreditOf(flagged, now, facts)?.next.reviewReasons).toEqual(['FRAUD_SUSPECTED']);
  });

  it('stays as it is by the same terms', () => {
    expect(recreditOf(commission(), earning(), facts)).toBeNull();
  });

  const [sooner, later] = [new Date('2026-05-01T12:00:00Z'), new Date('2026-05-31T12:00:00Z')];

  it('is held by what first told of its payment, which may turn out to lie further back', () => {
    const held = commission({ holdUntil: later });
    expect(recreditOf(held, earning({ holdUntil: sooner }), facts)).toMatchObject({
      kind: 'changed',
      next: { holdUntil: sooner },
      move: null,
      lines: [],
    });
    expect(recreditOf(held, earning({ holdUntil: null }), facts)?.next.holdUntil).toBeNull();
  });

  it.each<[string, Partial<CreditedCommission>, Date | null]>([
    ['a hold is never made longer', { holdUntil: sooner }, later],
    ['a hold that is over', { holdUntil: later, holdElapsed: true }, sooner],
    ['one that is decided', { holdUntil: later, status: 'approved' }, sooner],
  ])('keeps its hold: %s', (_why, fields, holdUntil) => {
    expect(recreditOf(commission(fields), earning({ holdUntil }), facts)).toBeNull();
  });
});
