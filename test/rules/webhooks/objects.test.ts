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
