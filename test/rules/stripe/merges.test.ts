import fc from 'fast-check';
import {
  readCharge,
  readDispute,
  readRefund,
  type DisputeFact,
} from '../../../entities/rules/stripe/charge-fact';
import { mergeFacts } from '../../../entities/rules/stripe/read-event';
import { settlementOf, type StripeObject } from '../../../entities/rules/stripe/settlement';

const at = (second: number): string => new Date(1_767_258_000_000 + second * 1_000).toISOString();
const usd = { currency: 'usd' };
const charged = 10_000;

const chargeAt = (second: number, amountRefunded: number): StripeObject => ({
  id: 'ch_1',
  fact: readCharge(
    { ...usd, amount: charged, amount_captured: charged, amount_refunded: amountRefunded },
    at(second),
  ),
});

const refundAt = (second: number, id: string, amount: number, status: string): StripeObject => ({
  id,
  fact: readRefund({ ...usd, amount, status, charge: 'ch_1' }, at(second)),
});

const disputeAt = (second: number, status: string, closed: boolean): StripeObject => ({
  id: 'du_1',
  fact: readDispute({ ...usd, amount: 4_000, status }, at(second), closed),
});

/** What is known once all of it was told, in this order. */
function known(told: readonly StripeObject[]): StripeObject[] {
  const objects = new Map<string, StripeObject['fact']>();
  for (const { id, fact } of told) {
    const before = objects.get(id);
    objects.set(id, before && fact ? mergeFacts(before, fact) : fact);
  }
  return [...objects].map(([id, fact]) => ({ id, fact }));
}

/** Any order, and any of it again. */
const told = (events: readonly StripeObject[]) =>
  fc
    .tuple(
      fc.shuffledSubarray([...events], { minLength: events.length, maxLength: events.length }),
      fc.subarray([...events]),
    )
    .map(([all, again]) => [...all, ...again]);

interface Happening {
  kind: 'refund' | 'failure';
  cents: number;
  /** The refund is told by an event of its own, too. */
  isNamed: boolean;
  /** True within the second of the one before; no failure is. */
  isAtOnce: boolean;
}

/** The events of a charge as Stripe sends them, and what stands refunded at their end. */
function happen(happenings: readonly Happening[]): { events: StripeObject[]; standing: number } {
  const stands: { id: string; cents: number }[] = [];
  const events = [chargeAt(0, 0)];
  let second = 0;
  let count = 0;
  const sum = () => stands.reduce((all, { cents }) => all + cents, 0);
  for (const { kind, cents, isNamed, isAtOnce } of happenings) {
    if (kind === 'failure') {
      const failed = stands.shift();
      if (!failed) continue;
      second += 1;
      events.push(refundAt(second, failed.id, failed.cents, 'failed'));
      second += 1;
      continue;
    }
    if (sum() + cents > charged) continue;
    if (!isAtOnce) second += 1;
    const id = `re_${(count += 1)}`;
    stands.push({ id, cents });
    events.push(chargeAt(second, sum()));
    if (isNamed) events.push(refundAt(second, id, cents, 'succeeded'));
  }
  return { events, standing: sum() };
}

const happenings = fc.array(
  fc.record<Happening>({
    kind: fc.constantFrom('refund', 'refund', 'failure'),
    cents: fc.constantFrom(1, 1_000, 3_333, 10_000),
    isNamed: fc.boolean(),
    isAtOnce: fc.boolean(),
  }),
  { minLength: 1, maxLength: 7 },
);

describe('payments.md, Refunds and disputes: what stands refunded of a charge', () => {
  it('is what a walk through its events by time comes to, however they were told', () => {
    const stories = happenings
      .map(happen)
      .chain(({ events, standing }) =>
        fc.record({ all: told(events), standing: fc.constant(standing) }),
      );
    fc.assert(
      fc.property(stories, ({ all, standing }) => {
        expect(settlementOf(known(all)).refundedCents).toBe(standing);
      }),
      { numRuns: 1_000 },
    );
  });

  it('is the greater of two sums of one second', () => {
    const [less, more] = [chargeAt(1, 1_000), chargeAt(1, 2_500)];
    for (const all of [
      [less, more],
      [more, less],
    ]) {
      expect(settlementOf(known(all)).refundedCents).toBe(2_500);
    }
  });

  it.each([
    ['pending', 3_000],
    ['succeeded', 3_000],
    ['requires_action', 0],
    ['failed', 0],
    ['canceled', 0],
    ['a_word_of_next_year', 3_000],
  ])('of one refund that is %s is %i', (status, cents) => {
    expect(settlementOf([refundAt(1, 're_1', 3_000, status)]).refundedCents).toBe(cents);
  });

  it('of one that waited for its buyer is all of it once it is issued', () => {
    const waits = refundAt(1, 're_1', 3_000, 'requires_action');
    const issued = refundAt(2, 're_1', 3_000, 'succeeded');
    expect(settlementOf(known([waits, issued])).refundedCents).toBe(3_000);
    expect(settlementOf(known([issued, waits])).refundedCents).toBe(3_000);
  });

  it('counts a failure from the first event that tells of it', () => {
    const failures = [refundAt(4, 're_1', 3_000, 'failed'), refundAt(9, 're_1', 3_000, 'failed')];
    // What the charge shows at second 6 is another refund already, without the one that failed.
    const shown = [chargeAt(1, 3_000), chargeAt(6, 2_000)];
    for (const all of [failures, failures.toReversed()]) {
      expect(settlementOf(known([...shown, ...all])).refundedCents).toBe(2_000);
    }
  });
});

describe('payments.md, Refunds and disputes: how a dispute ended', () => {
  const closes = [
    { status: 'won', state: 'released' },
    { status: 'lost', state: 'lost' },
    { status: 'warning_closed', state: 'released' },
  ] as const;
  const anyClose = fc.record({
    of: fc.constantFrom(...closes),
    second: fc.integer({ min: 1, max: 3 }),
  });

  it('is the last close by time, lost when two are of one second, and never open again', () => {
    const stories = fc.array(anyClose, { maxLength: 4 }).chain((all) =>
      fc.record({
        closed: fc.constant(all),
        order: told([
          disputeAt(0, 'needs_response', false),
          disputeAt(5, 'under_review', false),
          ...all.map(({ of, second }) => disputeAt(second, of.status, true)),
        ]),
      }),
    );
    fc.assert(
      fc.property(stories, ({ closed, order }) => {
        const last = Math.max(...closed.map(({ second }) => second));
        const states = closed.flatMap(({ of, second }) => (second === last ? [of.state] : []));
        const ended = states.includes('lost') ? 'lost' : states[0];
        const [dispute] = known(order);
        expect((dispute?.fact as DisputeFact).state).toBe(ended ?? 'open');
      }),
      { numRuns: 500 },
    );
  });
});
