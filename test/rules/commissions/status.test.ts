import {
  commissionMoves,
  decisionRefusal,
  elapseRefusal,
  holdUntilFor,
  isTerminal,
  reasonsAfter,
  whatIsDue,
} from '../../../entities/rules/commissions/status';
import { assertMove } from '../../../entities/rules/values/moves';
import type {
  CommissionStatus,
  CommissionTrigger,
  DecidableCommission,
  Decision,
  Due,
  WaitingCommission,
} from '../../../entities/rules/commissions/status';

const now = new Date('2026-03-01T00:00:00.000Z');
const past = new Date('2026-02-28T00:00:00.000Z');
const future = new Date('2026-03-02T00:00:00.000Z');

const commission = (overrides: Partial<DecidableCommission> = {}): DecidableCommission => ({
  status: 'pending',
  holdUntil: null,
  reviewReasons: [],
  inPayout: false,
  participantErased: false,
  ...overrides,
});

describe('the moves of a commission (commissions.md, Status)', () => {
  it.each<[CommissionStatus, CommissionTrigger, CommissionStatus]>([
    ['pending', 'approve', 'approved'],
    ['pending', 'reject', 'rejected'],
    ['approved', 'payout', 'paid'],
    ['approved', 'dispute', 'refunded'],
    ['refunded', 'refund', 'approved'],
  ])('lead from %s by %s to %s', (from, trigger, to) => {
    expect(() => assertMove(commissionMoves, { from, trigger, to })).not.toThrow();
  });

  it.each<[CommissionStatus, CommissionTrigger, CommissionStatus]>([
    ['pending', 'payout', 'paid'],
    ['pending', 'approve', 'rejected'],
    ['paid', 'refund', 'refunded'],
    ['rejected', 'approve', 'approved'],
    ['refunded', 'approve', 'approved'],
  ])('do not lead from %s by %s to %s', (from, trigger, to) => {
    expect(() => assertMove(commissionMoves, { from, trigger, to })).toThrow('no move');
  });

  it('end at rejected, paid and refunded', () => {
    const statuses = ['pending', 'approved', 'rejected', 'paid', 'refunded'] as const;
    expect(statuses.filter(isTerminal)).toEqual(['rejected', 'paid', 'refunded']);
  });
});

describe('a decision (commissions.md, Refusals of decisions)', () => {
  it.each<[Decision, Partial<DecidableCommission>, string | undefined]>([
    ['approve', {}, undefined],
    ['approve', { holdUntil: past }, undefined],
    ['approve', { holdUntil: now }, undefined],
    ['approve', { reviewReasons: ['FRAUD_SUSPECTED'] }, undefined],
    ['approve', { holdUntil: future }, 'COMMISSION_HOLD_ACTIVE'],
    ['approve', { status: 'approved' }, 'COMMISSION_NOT_PENDING'],
    ['approve', { status: 'rejected', holdUntil: future }, 'COMMISSION_NOT_PENDING'],
    ['approve', { participantErased: true, holdUntil: future }, 'PARTICIPANT_ERASED'],
    ['approve_override', { holdUntil: future }, undefined],
    ['approve_override', { holdUntil: past }, 'COMMISSION_HOLD_NOT_ACTIVE'],
    ['approve_override', {}, 'COMMISSION_HOLD_NOT_ACTIVE'],
    ['approve_override', { reviewReasons: ['DISPUTED'] }, 'COMMISSION_NEEDS_REVIEW'],
    [
      'approve_override',
      { holdUntil: future, reviewReasons: ['DISPUTED'] },
      'COMMISSION_NEEDS_REVIEW',
    ],
    ['approve_override', { status: 'paid', reviewReasons: ['DISPUTED'] }, 'COMMISSION_NOT_PENDING'],
    ['reject', {}, undefined],
    ['reject', { status: 'approved' }, undefined],
    ['reject', { participantErased: true }, undefined],
    ['reject', { status: 'approved', inPayout: true }, 'COMMISSION_IN_PAYOUT'],
    ['reject', { status: 'rejected' }, 'COMMISSION_TERMINAL'],
    ['reject', { status: 'paid' }, 'COMMISSION_TERMINAL'],
    ['reject', { status: 'refunded' }, 'COMMISSION_TERMINAL'],
  ])('to %s with %j is refused by %s', (decision, overrides, expected) => {
    expect(decisionRefusal(decision, commission(overrides), now)).toBe(expected);
  });

  it('clears every flag but the dispute, unless it rejects', () => {
    const reasons = ['FEE_UNKNOWN', 'DISPUTED', 'FRAUD_SUSPECTED'] as const;
    expect(reasonsAfter('approve', reasons)).toEqual(['DISPUTED']);
    expect(reasonsAfter('reject', reasons)).toEqual([]);
  });
});

describe('ending the hold by hand', () => {
  it.each<[Partial<DecidableCommission>, string | undefined]>([
    [{ holdUntil: future }, undefined],
    [{ holdUntil: past }, 'COMMISSION_HOLD_NOT_ACTIVE'],
    [{}, 'COMMISSION_HOLD_NOT_ACTIVE'],
    [{ status: 'approved', holdUntil: future }, 'COMMISSION_NOT_PENDING'],
  ])('of %j is refused by %s', (overrides, expected) => {
    expect(elapseRefusal(commission(overrides), now)).toBe(expected);
  });
});

describe('what time brings about', () => {
  const waiting = (overrides: Partial<WaitingCommission> = {}): WaitingCommission => ({
    status: 'pending',
    holdUntil: past,
    holdElapsed: false,
    reviewReasons: [],
    autoApprove: true,
    participant: { suspended: false, erased: false },
    ...overrides,
  });
  const suspended = { suspended: true, erased: false };
  const erased = { suspended: false, erased: true };

  it.each<[Partial<WaitingCommission>, Due['action']]>([
    [{}, 'approve'],
    [{ holdUntil: now }, 'approve'],
    [{ holdUntil: null, holdElapsed: true }, 'approve'],
    [{ holdElapsed: true }, 'approve'],
    [{ holdUntil: future }, 'none'],
    [{ status: 'approved' }, 'none'],
    [{ autoApprove: false }, 'wait'],
    [{ autoApprove: false, holdElapsed: true }, 'none'],
    [{ reviewReasons: ['FEE_UNKNOWN'] }, 'wait'],
    [{ participant: erased }, 'wait'],
    [{ participant: suspended }, 'flag'],
    [{ participant: suspended, autoApprove: false }, 'flag'],
    [{ participant: suspended, autoApprove: false, holdElapsed: true }, 'none'],
    [{ participant: suspended, holdElapsed: true }, 'flag'],
    [{ participant: suspended, reviewReasons: ['PARTNER_SUSPENDED'] }, 'wait'],
    [{ reviewReasons: ['PARTNER_SUSPENDED'], holdElapsed: true }, 'unflag'],
    [{ reviewReasons: ['PARTNER_SUSPENDED', 'DISPUTED'], holdElapsed: true }, 'unflag'],
  ])('with %j: %s', (overrides, expected) => {
    expect(whatIsDue(waiting(overrides), now).action).toBe(expected);
  });

  it('holds for whole days of 24 hours after creation, and not at all for 0 days', () => {
    expect(holdUntilFor(now, 30)?.toISOString()).toBe('2026-03-31T00:00:00.000Z');
    expect(holdUntilFor(now, 0)).toBeNull();
  });
});
