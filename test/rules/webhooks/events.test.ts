import {
  objectKindOf,
  resubscribe,
  subscriptionsRefusal,
  unsubscribedKinds,
  webhookEventKinds,
} from '../../../entities/rules/webhooks/events';

const early = '2026-01-01T00:00:00.000Z';
const now = new Date('2026-02-01T00:00:00.000Z');
const later = now.toISOString();

describe('subscriptions', () => {
  it('keep their time when they are named again, and begin now when they are new', () => {
    const before = { 'commission.created': early };
    expect(resubscribe(before, ['commission.created', 'payout.created'], now)).toEqual({
      'commission.created': early,
      'payout.created': later,
    });
  });

  it.each([
    [early, later],
    [later, early],
  ])('have the earlier time of their own, %s, and that of the wildcard, %s', (own, wildcard) => {
    const before = { 'payout.created': own, '*': wildcard };
    expect(resubscribe(before, ['payout.created'], now)).toEqual({ 'payout.created': early });
  });

  it('end when they are not named any more', () => {
    expect(resubscribe({ 'commission.created': early }, ['payout.created'], now)).toEqual({
      'payout.created': later,
    });
  });

  it('take over the time of a wildcard that covered them', () => {
    expect(resubscribe({ '*': early }, ['payout.created'], now)).toEqual({
      'payout.created': early,
    });
  });

  it('keep the time of a kind under a new wildcard', () => {
    expect(resubscribe({ 'payout.created': early }, ['*'], now)).toEqual({
      'payout.created': early,
      '*': later,
    });
  });

  it('keep the time of the wildcard itself', () => {
    expect(resubscribe({ '*': early }, ['*'], now)).toEqual({ '*': early });
  });

  it('lose the kinds that nothing of the new list covers', () => {
    const [one, two] = ['payout.created', 'commission.created'] as const;
    expect(unsubscribedKinds([one, two], [two])).toEqual([one]);
    expect(unsubscribedKinds([one], [two, one])).toEqual([]);
    expect(unsubscribedKinds([one], ['*'])).toEqual([]);
    expect(unsubscribedKinds(['*'], ['*'])).toEqual([]);
    expect(unsubscribedKinds(['*'], [one])).toEqual(
      webhookEventKinds.filter((kind) => kind !== one),
    );
  });

  it('are refused when a kind is named twice or beside the wildcard', () => {
    expect(subscriptionsRefusal(['payout.created', 'payout.created'])).toBeDefined();
    expect(subscriptionsRefusal(['*', 'payout.created'])).toBeDefined();
    expect(subscriptionsRefusal(['*'])).toBeUndefined();
  });

  it('name the record by the first word of the kind', () => {
    expect(objectKindOf('conversion.fraud_detected')).toBe('conversion');
  });
});
