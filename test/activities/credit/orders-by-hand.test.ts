import { AppError } from '../../../entities/errors';
import { query } from '../../../entities/database/sql';
import { updateProgram } from '../../../activities/programs/programs';
import { decideCommission } from '../../../activities/commissions/decide';
import { systemActor } from '../../../entities/rules/values/actor';
import { useDeps } from '../../support/app';
import { buildClick } from '../../support/build/clicks';
import { payoutsOn } from '../../support/build/payouts';
import {
  chargeRefunded,
  chargeSucceeded,
  checkoutCompleted,
  disputeClosed,
  disputeCreated,
  invoicePaid,
  invoicePaymentPaid,
  refundCreated,
  refundFailed,
  stripeId,
} from '../../support/stripe/events';
import { buildStory, on, ordersOf, type Story, type Tell } from '../../support/stripe/story';

/**
 * Orders that no generator drew: each story is told in orders of its facts, each in a shop of its own, and ends
 * in the same books. What is refused for want of a signal is sent again in the end, as a merchant would.
 */
const deps = useDeps();
const db = () => deps.db.manager;

/** The most orders that are told, drawn evenly; MODEL_ORDERS=24 tells all. */
const most = Number(process.env['MODEL_ORDERS'] ?? 8);

interface Told {
  /** What comes before, in its order. */
  first?: Tell[];
  /** The facts that are told in every order. */
  facts: Tell[];
}

async function books(story: Story): Promise<string> {
  const owed = await query<{ owed: string }>(
    db(),
    `SELECT CASE WHEN participant_id = $2 THEN 'rival' ELSE 'partner' END || ' ' || sum(amount_cents) AS owed
       FROM ledger_entries WHERE workspace_id = $1 GROUP BY participant_id
     HAVING sum(amount_cents) <> 0 ORDER BY 1`,
    [story.shop.scope.workspaceId, story.rival.id],
  );
  const due = (await story.due()).filter((one) => !one.endsWith(' 0'));
  return `due ${due.join(', ')}; owed ${owed.map((one) => one.owed).join(', ')}`;
}

async function tellAll(story: Story, tells: readonly Tell[]): Promise<void> {
  const refused: Tell[] = [];
  for (const tell of tells) {
    await tell().catch((error: unknown) => {
      if (!(error instanceof AppError)) throw error;
      refused.push(tell);
    });
  }
  await story.later();
  for (const tell of refused) {
    await tell().catch((error: unknown) => {
      if (!(error instanceof AppError)) throw error;
    });
  }
  await story.later();
}

/** The books that there are in the end, over all orders. */
async function inAllOrders(
  terms: Parameters<typeof buildStory>[1],
  tell: (story: Story) => Told,
): Promise<string[]> {
  const all = ordersOf(tell(await buildStory(deps, terms)).facts.map((_, n) => n));
  const step = Math.ceil(all.length / most);
  const orders = all.filter((_, n) => n % step === 0);
  const seen = new Map<string, string>();
  for (const lane of chunks(orders, 6)) {
    await Promise.all(
      lane.map(async (order) => {
        const story = await buildStory(deps, terms);
        const { first = [], facts } = tell(story);
        await tellAll(story, [...first, ...order.flatMap((n) => facts[n] ?? [])]);
        const end = await books(story);
        if (!seen.has(end)) seen.set(end, order.join(''));
      }),
    );
  }
  return seen.size === 1 ? [...seen.keys()] : [...seen].map(([end, order]) => `${order}: ${end}`);
}

function chunks<T>(all: readonly T[], size: number): T[][] {
  const count = Math.ceil(all.length / size);
  return Array.from({ length: count }, (_, n) => all.slice(n * size, (n + 1) * size));
}

const context = ({ shop: { scope } }: Story) => ({ scope, actor: systemActor, now: new Date() });
const become = (story: Story, status: 'active' | 'paused') => () =>
  updateProgram(db(), context(story), { programId: story.shop.program.id, patch: { status } });

it('a late sign-up, a hand, a report by the customer alone and two checkouts', async () => {
  const seen = await inAllOrders({ recurring: true }, (story) => {
    const { cus: customer, user: reference } = story;
    const paid = (days: number) => () =>
      story.send(checkoutCompleted({ customer, reference, at: on(days), amount: 1_000 * days }));
    const order = { externalTransactionId: stripeId('order'), customerId: reference };
    return {
      facts: [
        async () => {
          await story.signUp();
          await story.bind(on(5));
        },
        paid(1),
        () => story.report({ ...order, occurredAt: on(3), amountCents: 3_000 }),
        paid(9),
      ],
    };
  });
  expect(seen).toEqual(['due partner 200, partner 600, rival 1800; owed partner 800, rival 1800']);
});

it('the refund of a part before its payment, which a report, an invoice and a join tell', async () => {
  const seen = await inAllOrders({}, (story) => {
    const [invoice, paymentIntent, charge] = [stripeId('in'), stripeId('pi'), stripeId('ch')];
    const { click, cus: customer } = story;
    return {
      facts: [
        () =>
          story.report({ externalTransactionId: paymentIntent, clickId: click, occurredAt: on(1) }),
        () =>
          story.send(
            chargeRefunded({ charge, paymentIntent, amount: 10_000, refunded: 5_000, at: on(2) }),
          ),
        () =>
          story.send(
            invoicePaid({
              ...{ invoice, customer, amount: 10_000, paidAt: on(1) },
              ...{ subscription: stripeId('sub'), subscriptionClick: click },
            }),
          ),
        () => story.send(invoicePaymentPaid({ invoice, paymentIntent })),
      ],
    };
  });
  expect(seen).toEqual(['due partner 1000; owed partner 1000']);
});

it('a first payment in another currency that was given back stays the first', async () => {
  const seen = await inAllOrders({ recurring: false, acceptedCurrencies: ['eur'] }, (story) => {
    const [paymentIntent, charge] = [stripeId('pi'), stripeId('ch')];
    const { cus: customer, user: reference } = story;
    const names = { customer, reference };
    return {
      facts: [
        () => story.signUp({ aliases: [customer] }),
        () =>
          story.send(checkoutCompleted({ ...names, paymentIntent, currency: 'eur', at: on(1) })),
        () =>
          story.send(
            chargeRefunded({
              ...{ charge, paymentIntent, amount: 10_000, refunded: 10_000 },
              ...{ currency: 'eur', at: on(2) },
            }),
          ),
        () => story.send(checkoutCompleted({ ...names, at: on(3) })),
      ],
    };
  });
  expect(seen).toEqual(['due ; owed ']);
});

it('a dispute that is won after the payout, beside an earlier payment that takes the rank', async () => {
  const payouts = payoutsOn(db);
  const seen = await inAllOrders({ recurring: false, holdDays: 0, autoApprove: true }, (story) => {
    const [paymentIntent, charge] = [stripeId('pi'), stripeId('ch')];
    const { cus: customer, user: reference } = story;
    const dispute = { charge, paymentIntent, dispute: stripeId('du'), amount: 10_000 };
    return {
      first: [
        () => story.signUp({ aliases: [customer] }),
        () => story.send(checkoutCompleted({ customer, reference, paymentIntent, at: on(9) })),
        async () => {
          const { id } = await payouts.create(story.shop.participant);
          await payouts.complete(story.shop.participant, id);
        },
      ],
      facts: [
        () => story.send(disputeCreated({ ...dispute, at: on(10) })),
        () => story.send(disputeClosed({ ...dispute, status: 'won', at: on(20) })),
        () => story.send(checkoutCompleted({ customer, reference, amount: 4_000, at: on(1) })),
        () => story.send(chargeSucceeded({ charge, paymentIntent, at: on(9) })),
      ],
    };
  });
  // 20.00 were paid for what earns nothing now, and 8.00 are due of the first.
  expect(seen).toEqual(['due partner 800; owed partner -1200']);
});

it('a programme that is paused between a payment and what is told later', async () => {
  const seen = await inAllOrders({ recurring: true }, (story) => {
    const { cus: customer, click } = story;
    const [subscription, paymentIntent] = [stripeId('sub'), stripeId('pi')];
    const charge = stripeId('ch');
    const names = { customer, subscription };
    return {
      first: [
        () => story.send(checkoutCompleted({ ...names, click, paymentIntent, at: on(2) })),
        become(story, 'paused'),
      ],
      facts: [
        () => story.send(invoicePaid({ ...names, amount: 10_000, paidAt: on(33) })),
        () => story.send(checkoutCompleted({ customer, click, at: on(1) })),
        () =>
          story.send(chargeRefunded({ charge, paymentIntent, amount: 10_000, refunded: 2_500 })),
        () => story.signUp({ aliases: [customer] }).catch(() => undefined),
      ],
    };
  });
  expect(seen).toEqual(['due partner 1500; owed partner 1500']);
});

it('two customers of the biller’s who are one of the shop’s, the first of whom a rival brought', async () => {
  const seen = await inAllOrders({ recurring: false }, (story) => {
    const { cus: customer, rivals, user: reference } = story;
    const other = stripeId('cus');
    return {
      facts: [
        () => story.send(checkoutCompleted({ customer, click: rivals, at: on(1) })),
        () => story.send(checkoutCompleted({ customer: other, reference, at: on(2) })),
        () => story.signUp({ aliases: [customer] }),
        () => story.send(checkoutCompleted({ customer, at: on(3) })),
      ],
    };
  });
  expect(seen).toEqual(['due rival 2000; owed rival 2000']);
});

it('a trial by the rival’s click of who had signed up by the partner’s', async () => {
  const seen = await inAllOrders({ recurring: true, recurringMonths: 1 }, (story) => {
    const { cus: customer, rivals, user: reference } = story;
    const names = { customer, subscription: stripeId('sub') };
    const trial = { paymentIntent: null, amount: 0, paymentStatus: 'no_payment_required' as const };
    return {
      facts: [
        () => story.signUp(),
        () =>
          story.send(
            checkoutCompleted({ ...names, ...trial, reference, click: rivals, at: on(1) }),
          ),
        () =>
          story.send(
            invoicePaid({ ...names, amount: 10_000, paidAt: on(15), periodStart: on(15) }),
          ),
        () =>
          story.send(
            invoicePaid({ ...names, amount: 10_000, paidAt: on(46), periodStart: on(46) }),
          ),
      ],
    };
  });
  expect(seen).toEqual(['due rival 2000; owed rival 2000']);
});

it('a subscription of one who was unbound, and whom the rival’s click brings back', async () => {
  const seen = await inAllOrders({ recurring: true }, (story) => {
    const { cus: customer, click, rivals, user: reference } = story;
    const names = { customer, subscription: stripeId('sub') };
    return {
      first: [() => story.signUp({ aliases: [customer] }), () => story.unbind(on(10))],
      facts: [
        () =>
          story.send(
            checkoutCompleted({ ...names, reference, click, paymentIntent: null, at: on(1) }),
          ),
        () => story.send(invoicePaid({ ...names, amount: 10_000, paidAt: on(32) })),
        () => story.send(checkoutCompleted({ customer, click: rivals, at: on(40) })),
        () => story.send(checkoutCompleted({ customer, amount: 5_000, at: on(41) })),
      ],
    };
  });
  expect(seen).toEqual(['due partner 2000, rival 2000, rival 1000; owed partner 2000, rival 3000']);
});

it('two subscriptions of one second by two partners, and what names the customer alone', async () => {
  const ids = [stripeId('in_a'), stripeId('in_b')];
  const seen = await inAllOrders({ recurring: true }, (story) => {
    const { cus: customer, click, rivals } = story;
    const own = story.cus.split('_').at(-1) ?? '';
    const begun = (n: number, subscriptionClick: string) => () =>
      story.send(
        invoicePaid({
          ...{ customer, subscriptionClick, amount: 10_000, paidAt: on(1) },
          ...{ invoice: `${ids[n]}_${own}`, subscription: `sub_${n}_${own}` },
          billingReason: 'subscription_create',
        }),
      );
    return {
      facts: [
        begun(0, click),
        begun(1, rivals),
        () => story.send(invoicePaid({ customer, amount: 5_000, paidAt: on(2) })),
      ],
    };
  });
  expect(seen).toEqual(['due partner 2000, partner 2000, partner 1000; owed partner 5000']);
});

it('a subscription that no checkout made, and the sign-up of its customer a moment later', async () => {
  const seen = await inAllOrders({ recurring: true }, (story) => {
    const { cus: customer } = story;
    const month = { customer, subscription: stripeId('sub'), amount: 10_000 };
    return {
      facts: [
        // The sign-up comes within the ten minutes that the invoice waits.
        () => story.signUp({ aliases: [customer] }, new Date()),
        () =>
          story.send(
            invoicePaid({ ...month, paidAt: on(1), billingReason: 'subscription_create' }),
          ),
        () => story.send(invoicePaid({ ...month, paidAt: on(32) })),
      ],
    };
  });
  expect(seen).toEqual(['due partner 2000, partner 2000; owed partner 4000']);
});

it('a refund that fails, of a payment whose rank an earlier one takes', async () => {
  const seen = await inAllOrders({ recurring: true, recurringMonths: 1 }, (story) => {
    const [paymentIntent, charge, refund] = [stripeId('pi'), stripeId('ch'), stripeId('re')];
    const { cus: customer, user: reference } = story;
    const back = { refund, charge, paymentIntent, amount: 10_000 };
    return {
      first: [
        () => story.signUp(),
        () => story.send(checkoutCompleted({ customer, reference, paymentIntent, at: on(40) })),
        () => story.send(chargeSucceeded({ charge, paymentIntent, at: on(40) })),
      ],
      facts: [
        () => story.send(refundCreated({ ...back, at: on(41) })),
        () => story.send(refundFailed({ ...back, at: on(44) })),
        () => story.send(checkoutCompleted({ customer, reference, amount: 3_000, at: on(20) })),
        () => story.send(checkoutCompleted({ customer, reference, amount: 1_000, at: on(1) })),
      ],
    };
  });
  expect(seen).toEqual(['due partner 200, partner 600; owed partner 800']);
});

it('an expired click in the shop’s report of a month whose subscription a hand has given away', async () => {
  const seen = await inAllOrders({ recurring: true }, (story) => {
    const { cus: customer, click, user: reference } = story;
    const [subscription, invoice] = [stripeId('sub'), stripeId('in')];
    const names = { customer, subscription };
    const expired = buildClick(db(), {
      participant: story.shop.participant,
      ...{ at: on(-60), expiresAt: on(-30) },
    });
    return {
      first: [
        () =>
          story.send(
            checkoutCompleted({ ...names, reference, click, paymentIntent: null, at: on(1) }),
          ),
        () => story.bind(on(10)),
      ],
      facts: [
        () => story.send(invoicePaid({ ...names, invoice, amount: 10_000, paidAt: on(32) })),
        async () => {
          const clickId = (await expired).id;
          const month = { externalTransactionId: invoice, clickId, occurredAt: on(32) };
          await story.report(month).catch(() => undefined);
        },
        () =>
          story.report({
            ...{ customerId: reference, occurredAt: on(5), amountCents: 2_000 },
            externalTransactionId: `order_${invoice}`,
          }),
        () => story.send(invoicePaid({ ...names, amount: 4_000, paidAt: on(8) })),
      ],
    };
  });
  expect(seen).toEqual([
    'due partner 2000, partner 400, partner 800, rival 2000; owed partner 3200, rival 2000',
  ]);
});

it('a person rejects the one that was kept of two, whenever it is known that they are one', async () => {
  const seen = await inAllOrders({}, (story) => {
    const [invoice, paymentIntent] = [stripeId('in'), stripeId('pi')];
    const { cus: customer, click: subscriptionClick, shop } = story;
    const first = { customer, subscription: stripeId('sub'), invoice, amount: 10_000 };
    return {
      first: [
        () =>
          story.report(
            {
              ...{ externalTransactionId: paymentIntent, clickId: subscriptionClick },
              occurredAt: on(1),
            },
            on(1),
          ),
        () => story.send(invoicePaid({ ...first, subscriptionClick, paidAt: on(1) })),
      ],
      facts: [
        async () => {
          const [made] = await query<{ id: string }>(
            db(),
            `SELECT m.id FROM commissions AS m JOIN conversions AS v ON v.id = m.conversion_id
              WHERE v.workspace_id = $1 AND v.source = 'api'`,
            [shop.scope.workspaceId],
          );
          const command = { commissionId: made?.id ?? '', decision: 'reject', reason: 'twice' };
          await decideCommission(db(), context(story), { ...command, decision: 'reject' });
        },
        () => story.send(invoicePaymentPaid({ invoice, paymentIntent })),
      ],
    };
  });
  // What was rejected keeps its sum, of which nothing is owed.
  expect(seen).toEqual(['due partner 2000, partner 2000; owed partner 2000']);
});

it('what is told of an erased partner’s customer after the erasure', async () => {
  const seen = await inAllOrders({ recurring: true }, (story) => {
    const { cus: customer, click, user: reference } = story;
    const [subscription, paymentIntent, charge] = [stripeId('sub'), stripeId('pi'), stripeId('ch')];
    return {
      first: [
        () =>
          story.send(
            checkoutCompleted({
              customer,
              subscription,
              reference,
              click,
              paymentIntent,
              at: on(5),
            }),
          ),
        () =>
          query(
            db(),
            `UPDATE participants SET status = 'suspended', erased_at = now() WHERE id = $1`,
            [story.shop.participant.id],
          ),
      ],
      facts: [
        () => story.send(invoicePaid({ customer, subscription, amount: 10_000, paidAt: on(36) })),
        () => story.send(checkoutCompleted({ customer, click, amount: 1_000, at: on(1) })),
        () =>
          story.send(chargeRefunded({ charge, paymentIntent, amount: 10_000, refunded: 5_000 })),
        () => story.send(checkoutCompleted({ customer, click: story.rivals, at: on(40) })),
      ],
    };
  });
  expect(seen).toEqual(['due partner 1000, rival 2000; owed partner 1000, rival 2000']);
});
