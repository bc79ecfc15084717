import fc from 'fast-check';
import { retryWhileLocked } from '../../../../runtime/load/retry';
import { processorActor } from '../../../../entities/rules/values/actor';
import { applyInTransaction } from '../../../../activities/billing/payments/apply';
import { readStripeFacts } from '../../../../entities/rules/stripe/read-event';
import { type Db, queryOne, transaction } from '../../../../entities/database/sql';
import { useDeps } from '../../../support/app';
import {
  chargeRefunded,
  checkoutCompleted,
  disputeClosed,
  disputeCreated,
  stripeId,
} from '../../../support/stripe/events';
import type { StripeTestEvent } from '../../../support/stripe/fixtures';
import { buildStripeShop, type StripeShop } from '../../../support/stripe/shop';
import { isNightly } from '../../../support/run/nightly';

const deps = useDeps();
let shop: StripeShop;
let click: string;
const paidAt = new Date('2026-03-01T12:00:00Z');
const after = (seconds: number): Date => new Date(paidAt.getTime() + seconds * 1_000);

beforeAll(async () => {
  shop = await buildStripeShop(deps, { salesFrom: 'stripe' });
  click = await shop.click(after(-60));
});

type Ending = 'won' | 'lost';

/**
 * 720 orders of six events take a minute, so a full refund, and a dispute that is won, are for
 * `npm run test:nightly`.
 */

/** The life of one payment of 100.00, told by events of its own. */
function story(ending: Ending, withFullRefund: boolean): StripeTestEvent[] {
  const [paymentIntent, charge, dispute] = [stripeId('pi'), stripeId('ch'), stripeId('du')];
  const ids = { charge, paymentIntent };
  const disputed = { ...ids, dispute, amount: 4_000 };
  const firstRefund = chargeRefunded({ ...ids, refunded: 3_000, at: after(10) });
  return [
    checkoutCompleted({ click, paymentIntent, at: paidAt }),
    ...(withFullRefund && !isNightly ? [] : [firstRefund]),
    chargeRefunded({ ...ids, refunded: 5_000, at: after(20) }),
    disputeCreated({ ...disputed, at: after(30) }),
    disputeClosed({ ...disputed, status: ending, at: after(40) }),
    ...(withFullRefund ? [chargeRefunded({ ...ids, refunded: 10_000, at: after(50) })] : []),
  ];
}

async function tell(db: Db, event: StripeTestEvent): Promise<void> {
  const facts = readStripeFacts(event, paidAt.toISOString());
  if (!facts) throw new Error('the event tells nothing');
  const context = { scope: shop.scope, actor: processorActor, now: new Date() };
  await applyInTransaction(db, context, { biller: 'stripe', facts, prospect: null });
}

/** What is left of a payment: its rows, without ids and times. */
async function restOf(db: Db, paymentIntent: unknown): Promise<unknown> {
  return queryOne(
    db,
    `SELECT v.refunded_amount_cents AS refunded, m.status, m.amount_cents AS due,
            m.refunded_amount_cents AS taken, m.review_reasons AS reasons,
            s.charge_cents AS charge, s.refunded_cents AS "byStripe",
            s.lost_dispute_cents AS lost, s.open_disputes AS open,
            (SELECT sum(amount_cents)::int FROM ledger_entries l WHERE l.commission_id = m.id) AS owed,
            (SELECT count(*)::int FROM conversion_aliases o WHERE o.conversion_id = v.id) AS aliases,
            (SELECT count(*)::int FROM stripe_payments p WHERE p.conversion_id = v.id) AS payments
       FROM conversion_aliases a JOIN conversions v ON v.id = a.conversion_id
       JOIN commissions m ON m.conversion_id = v.id
       JOIN conversion_settlements s ON s.conversion_id = v.id WHERE a.alias = $1`,
    [paymentIntent],
  );
}

class RolledBack extends Error {}

/**
 * Every order of the events, as a tree: orders that begin alike share their beginning, and each
 * branch is rolled back to where it left the others. One event comes again in each order.
 */
async function everyOrder(
  events: () => StripeTestEvent[],
  check: (db: Db, sequence: number[], paymentIntent: unknown) => Promise<void>,
): Promise<number> {
  const counts = await Promise.all(
    events().map((_, first) => everyOrderFrom(events(), first, check)),
  );
  return counts.reduce((sum, count) => sum + count, 0);
}

async function everyOrderFrom(
  events: StripeTestEvent[],
  first: number,
  check: Parameters<typeof everyOrder>[1],
): Promise<number> {
  let orders = 0;
  const walk = async (db: Db, sequence: number[], next: number): Promise<void> => {
    const branch = transaction(db, async (tx) => {
      const told = [...sequence, next];
      const left = events.map((_, index) => index).filter((index) => !told.includes(index));
      await tell(tx, events[next] as StripeTestEvent);
      const again = events[(orders + told.length) % events.length];
      if (again && left.length === orders % 4) await tell(tx, again);
      for (const index of left) await walk(tx, told, index);
      if (left.length === 0) {
        orders += 1;
        await check(tx, told, events[0]?.data.object['payment_intent']);
      }
      throw new RolledBack();
    });
    await branch.catch((error: unknown) => {
      if (!(error instanceof RolledBack)) throw error;
    });
  };
  await walk(deps.db.manager, [], first);
  return orders;
}

// 20.00 are earned: 5,000 of 10,000 came back, so half is due; 4,000 lost to a dispute besides leave
// a tenth; a full refund leaves nothing, whatever became of the dispute.
const common = { charge: 10_000, open: 0, reasons: [], aliases: 3, payments: 1 };
const half = { refunded: 5_000, status: 'pending', due: 1_000, taken: 1_000, owed: 1_000 };
const tenth = { refunded: 9_000, status: 'pending', due: 200, taken: 1_800, owed: 200 };
const none = { refunded: 10_000, status: 'refunded', due: 0, taken: 2_000, owed: 0 };

describe('every order of the events of a payment, with repeats, ends the same', () => {
  const stories: [string, Ending, boolean, object][] = [
    ['won', 'won', false, { ...common, ...half, byStripe: 5_000, lost: 0 }],
    ['lost', 'lost', false, { ...common, ...tenth, byStripe: 5_000, lost: 4_000 }],
    ['won, and a full refund', 'won', true, { ...common, ...none, byStripe: 10_000, lost: 0 }],
    [
      'lost, and a full refund',
      'lost',
      true,
      { ...common, ...none, byStripe: 10_000, lost: 4_000 },
    ],
  ];

  it.each(isNightly ? stories : stories.slice(1, 2))(
    'partial refunds, a dispute %s',
    async (_name, ending, withFullRefund, expected) => {
      const events = (): StripeTestEvent[] => story(ending, withFullRefund);
      const orders = await everyOrder(events, async (db, sequence, paymentIntent) => {
        expect({ sequence, rest: await restOf(db, paymentIntent) }).toEqual({
          sequence,
          rest: expected,
        });
      });
      expect(orders).toBe(withFullRefund && isNightly ? 720 : 120);
    },
    isNightly ? 900_000 : 180_000,
  );

  it('also when they come side by side', async () => {
    // A failure can be told again: the orders are the same in each run.
    const orders = fc.sample(
      fc.shuffledSubarray([0, 1, 2, 3, 4, 0, 1, 2, 3, 4], { minLength: 10 }),
      {
        numRuns: 20,
        seed: 20_260_301,
      },
    );
    for (const order of orders) {
      const events = story('lost', false);
      const twice = order.map((index) => events[index] as StripeTestEvent);
      await Promise.all(
        twice.map((event) => retryWhileLocked(deps.db.manager, () => tell(deps.db.manager, event))),
      );

      expect(await restOf(deps.db.manager, events[0]?.data.object['payment_intent'])).toMatchObject(
        tenth,
      );
    }
  });
});
