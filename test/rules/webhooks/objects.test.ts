import { publicEventId, storedEventId } from '../../../entities/rules/webhooks/envelope';
import { webhookEventKinds, objectKindOf } from '../../../entities/rules/webhooks/events';
import { exampleEvent, exampleObject } from '../../../entities/rules/webhooks/examples';
import type { EventContent } from '../../../entities/rules/webhooks/objects';

/** What an event's maker may write: the compiler refuses the lines that say so. */
function recordEvent(content: EventContent): EventContent {
  return content;
}

describe('the object of an event', () => {
  it('is that of its kind, whole, and nothing else', () => {
    const commission = exampleObject('commission.paid');
    recordEvent({ type: 'commission.paid', object: commission });
    // @ts-expect-error: another kind's object
    recordEvent({ type: 'payout.created', object: commission });
    // @ts-expect-error: a field is missing
    recordEvent({ type: 'conversion.fraud_detected', object: exampleObject('conversion.created') });
    // @ts-expect-error: no kind of event
    recordEvent({ type: 'commission.vanished', object: commission });
    const { amount_cents: amountCents, ...rest } = commission;
    // @ts-expect-error: another name
    recordEvent({ type: 'commission.paid', object: { ...rest, amountCents } });
    expect(amountCents).toBe(1_000);
  });

  it.each(webhookEventKinds)('%s has an example with an id', (kind) => {
    const { type, data } = exampleEvent(kind);
    expect([type, data.object]).toEqual([kind, exampleObject(kind)]);
    expect(data.object['id']).toMatch(/^[0-9a-f-]{36}$/);
    expect(kind.startsWith(`${objectKindOf(kind)}.`)).toBe(true);
  });
});

it.each([
  ['evt_0192', '0192'],
  ['0192', '0192'],
])('the id inside %s is %s', (publicId, id) => {
  expect(storedEventId(publicId)).toBe(id);
  expect(publicEventId(id)).toBe('evt_0192');
});

describe('the examples of events add up', () => {
  const created = exampleObject('conversion.created');
  const pending = exampleObject('commission.created');

  it('at the sale: a tenth of what was paid is due, and nothing to review', () => {
    expect(created).toMatchObject({ attributed: true, amount_cents: 10_000 });
    expect(created.refunded_amount_cents).toBe(0);
    expect(created.commission).toMatchObject({ amount_cents: 1_000, needs_review: false });
    expect(pending).toMatchObject({
      amount_cents: created.commission?.amount_cents,
      original_amount_cents: 1_000,
      refunded_amount_cents: 0,
      conversion_amount_cents: created.amount_cents,
      needs_review: false,
    });
  });

  it('after a refund of a quarter', () => {
    const refunded = exampleObject('conversion.refunded');
    expect(refunded.refunded_amount_cents).toBe(created.amount_cents / 4);
    const { amount_cents: due, ...commission } = exampleObject('commission.refunded');
    expect(refunded.commission?.amount_cents).toBe(due);
    expect(due).toBe((pending.original_amount_cents * 3) / 4);
    expect(commission.refunded_amount_cents).toBe(pending.original_amount_cents - due);
  });

  it('in a payout: the one commission that is due', () => {
    const [item] = exampleObject('payout.created').items;
    expect(item).toMatchObject({ amount_cents: pending.amount_cents, commission_count: 1 });
  });

  it('where somebody has to look: the flag is over its threshold, the commission is marked', () => {
    const [flag] = exampleObject('conversion.fraud_detected').fraud_flags;
    expect(flag).toEqual({ rule: 'click_velocity', action: 'flag', value: 41, threshold: 30 });
    expect(exampleObject('commission.updated')).toMatchObject({
      needs_review: true,
      review_reasons: ['DISPUTED'],
    });
  });

  it('for an erased partner and an endpoint', () => {
    const { open_balances: open } = exampleObject('participant.erased');
    expect(open).toEqual([{ currency: 'usd', pending_cents: 0, approved_cents: 12_000 }]);
    expect(exampleObject('webhook.test')).toMatchObject({ active: true, events: ['*'] });
    expect(exampleEvent('webhook.test').sequence).toBe(1_024);
  });
});
