import { query } from '../../../entities/database/sql';
import { useDeps } from '../../support/app';
import { buildClick } from '../../support/build/clicks';
import { buildPromoCode } from '../../support/build/programs';
import {
  chargeSucceeded,
  checkoutCompleted,
  invoicePaid,
  invoicePaymentPaid,
  stripeId,
} from '../../support/stripe/events';
import { buildStory, inEveryOrder, on } from '../../support/stripe/story';

const deps = useDeps();
const db = () => deps.db.manager;

describe('the same facts in every order end in the same books', () => {
  it('of a bound customer’s payments of unequal sums: the earliest is the first', async () => {
    const seen = await inEveryOrder(deps, { recurring: false }, (story) => {
      const paid = (days: number, amount: number) => () =>
        story.send(checkoutCompleted({ customer: story.cus, amount, at: on(days) }));
      return [() => story.signUp({ aliases: [story.cus] }), paid(1, 10_000), paid(2, 1_000)];
    });
    expect(seen).toEqual(new Set(['partner 2000, partner 0']));
  });

  it('of who pays before the account exists: Stripe’s customer is the shop’s', async () => {
    const seen = await inEveryOrder(deps, { recurring: false }, (story) => {
      const { cus: customer, click, user: reference } = story;
      return [
        () => story.send(checkoutCompleted({ customer, click, at: on(1) })),
        () => story.signUp({ occurredAt: on(2) }),
        () => story.send(checkoutCompleted({ customer, reference, at: on(3) })),
      ];
    });
    expect(seen).toEqual(new Set(['partner 2000, partner 0']));
  });

  it('of a click on session and payment intent: the code that the buyer typed wins', async () => {
    const seen = await inEveryOrder(deps, {}, (story) => {
      const [paymentIntent, charge] = [stripeId('pi'), stripeId('ch')];
      const code = `RIVAL${paymentIntent.slice(-8).toUpperCase()}`;
      const discounts = [{ promotion_code: { id: 'promo_1', code } }];
      const object = { metadata: { aff_click_id: story.click } };
      const coded = buildPromoCode(db(), story.rival, { code });
      return [
        async () => {
          await coded;
          const sale = { paymentIntent, click: story.click, at: on(1), object: { discounts } };
          await story.send(checkoutCompleted(sale));
        },
        async () => {
          await coded;
          await story.send(chargeSucceeded({ charge, paymentIntent, object, at: on(1) }));
        },
      ];
    });
    expect(seen).toEqual(new Set(['rival 2000']));
  });

  it('of a month that the shop reports with its expired click, and Stripe tells too', async () => {
    const seen = await inEveryOrder(deps, { recurring: true }, (story) => {
      const { cus: customer, click } = story;
      const [subscription, invoice] = [stripeId('sub'), stripeId('in')];
      const first = { customer, subscription, click, invoice: stripeId('in'), paymentIntent: null };
      const expired = buildClick(db(), {
        participant: story.shop.participant,
        at: on(-60),
        expiresAt: on(-30),
      });
      return [
        () => story.send(checkoutCompleted({ ...first, at: on(1) })),
        () =>
          story.send(
            invoicePaid({ invoice, customer, subscription, paidAt: on(31), amount: 10_000 }),
          ),
        async () => {
          const clickId = (await expired).id;
          const month = { externalTransactionId: invoice, clickId, occurredAt: on(31) };
          await story.report(month).catch(() => undefined);
        },
      ];
    });
    const books = [...seen].map((one) => one.replace('nobody 0, ', '').replace(', nobody 0', ''));
    expect(new Set(books)).toEqual(new Set(['partner 2000, partner 2000']));
  });

  it('of a guest checkout under the shop’s own id, and the sign-up of that id', async () => {
    const seen = await inEveryOrder(deps, {}, (story) => [
      () => story.send(checkoutCompleted({ reference: story.user, at: on(1) })),
      () => story.signUp({ occurredAt: null }, on(2)),
    ]);
    expect(seen).toEqual(new Set(['partner 2000']));
  });

  it('of a customer who is bound anew: what was paid before stays where it was', async () => {
    const seen = await inEveryOrder(deps, { recurring: true }, (story) => [
      async () => {
        await story.signUp();
        await story.bind(on(5));
      },
      () => story.send(checkoutCompleted({ reference: story.user, at: on(1) })),
      () => story.send(checkoutCompleted({ reference: story.user, at: on(9) })),
    ]);
    expect(seen).toEqual(new Set(['partner 2000, rival 2000']));
  });

  it('of months that are told last first: two of three earn under two months', async () => {
    const seen = await inEveryOrder(deps, { recurring: true, recurringMonths: 2 }, (story) => {
      const ids = { customer: story.cus, subscription: stripeId('sub') };
      const month = (days: number) => () =>
        story.send(
          invoicePaid({ ...ids, paidAt: on(days), amount: 10_000, subscriptionClick: story.click }),
        );
      return [month(0), month(31), month(62)];
    });
    expect(seen).toEqual(new Set(['partner 2000, partner 2000, partner 0']));
  });
});

it('a payment that was reported for a bound customer goes to the click that Stripe tells', async () => {
  const story = await buildStory(deps, { recurring: true });
  const paymentIntent = stripeId('pi');
  await story.signUp({}, on(1));
  await story.report({
    externalTransactionId: paymentIntent,
    customerId: story.user,
    occurredAt: on(2),
  });
  expect(await story.due()).toEqual(['partner 2000']);
  const { cus: customer, rivals: click, user: reference } = story;
  await story.send(checkoutCompleted({ paymentIntent, customer, click, reference, at: on(2) }));

  expect(await story.due()).toEqual(['rival 2000']);
});

it('a refused report that a sale was recorded over is no sale of its own, whatever follows', async () => {
  const story = await buildStory(deps, { recurring: true });
  const [paymentIntent, later] = [stripeId('pi'), stripeId('pi')];
  await story.report({
    externalTransactionId: paymentIntent,
    customerId: story.user,
    promoCode: 'NOBODYS',
    occurredAt: on(1),
  });
  const { cus: customer, click, user: reference } = story;
  await story.send(checkoutCompleted({ paymentIntent, customer, click, reference, at: on(1) }));
  await story.send(checkoutCompleted({ paymentIntent: later, customer, reference, at: on(9) }));

  const due = await story.due();
  expect(due.filter((one) => one !== 'nobody 0')).toEqual(['partner 2000', 'partner 2000']);
});

it('what Stripe tells of a programme that sells by reports alone takes no rank before a report', async () => {
  const story = await buildStory(deps, { recurring: false, salesFrom: 'api' });
  await story.signUp({ aliases: [story.cus] }, on(1));
  await story.send(checkoutCompleted({ customer: story.cus, at: on(2) }));
  await story.report({
    externalTransactionId: stripeId('order'),
    customerId: story.user,
    occurredAt: on(3),
  });

  expect(await story.due()).toEqual(['partner 2000']);
});

it('a customer may be unbound before what a test clock has paid ahead', async () => {
  const story = await buildStory(deps, { recurring: true });
  const ids = { customer: story.cus, subscription: stripeId('sub') };
  const { click, user: reference } = story;
  await story.send(checkoutCompleted({ ...ids, click, reference, at: on(0), paymentIntent: null }));
  const month = { ...ids, subscriptionClick: click, amount: 10_000 };
  await story.send(invoicePaid({ ...month, paidAt: on(31) }));
  await story.unbind(on(10));

  expect(await story.due()).toEqual(['partner 2000', 'nobody 0']);
  const traces = await query<{ held: number; terms: string | null }>(
    db(),
    `SELECT (SELECT count(*)::int FROM json_array_elements(d.trace->'candidates') AS c
              WHERE c->>'outcome' = 'HOLDS') AS held, d.trace->>'terms' AS terms
       FROM attribution_decisions AS d JOIN conversions AS v ON v.id = d.conversion_id
      WHERE v.workspace_id = $1 AND v.mode = $2 AND NOT v.attributed`,
    [story.shop.scope.workspaceId, story.shop.scope.mode],
  );
  expect(traces).toEqual([{ held: 0, terms: null }]);
});

it('an old subscription of an unbound customer credits nobody, whoever wins them later', async () => {
  const story = await buildStory(deps, { recurring: true });
  const ids = { customer: story.cus, subscription: stripeId('sub') };
  const month = (days: number) => story.send(invoicePaid({ ...ids, paidAt: on(days) }));
  const { cus: customer, click, rivals, user: reference } = story;
  await story.send(checkoutCompleted({ ...ids, click, reference, at: on(0), paymentIntent: null }));
  await story.unbind(on(10));
  await month(31);
  await story.send(checkoutCompleted({ customer, click: rivals, at: on(40) }));
  await month(62);

  expect(await story.due()).toEqual(['partner 2000', 'rival 2000']);
});

it('months count from period to period, and net 30 belongs to the day of its invoice', async () => {
  const story = await buildStory(deps, { recurring: true, recurringMonths: 12 });
  const ids = { customer: story.cus, subscription: stripeId('sub'), amount: 10_000 };
  const click = (
    await buildClick(db(), { participant: story.shop.participant, at: on(-1), expiresAt: on(29) })
  ).id;
  const year = (periodStart: Date, paidAt: Date) =>
    story.send(
      invoicePaid({
        ...ids,
        periodStart,
        createdAt: periodStart,
        paidAt,
        subscriptionClick: click,
      }),
    );
  await year(on(0), on(31));
  await year(on(365), on(365));

  expect(await story.due()).toEqual(['partner 2000', 'partner 0']);
});

it('of two conversions that are one payment the one that stands is kept', async () => {
  const story = await buildStory(deps);
  const [invoice, paymentIntent] = [stripeId('in'), stripeId('pi')];
  await story.report({
    externalTransactionId: paymentIntent,
    clickId: story.click,
    occurredAt: on(1),
  });
  const first = { customer: story.cus, subscription: stripeId('sub'), invoice, amount: 10_000 };
  await story.send(invoicePaid({ ...first, paidAt: on(1), subscriptionClick: story.click }));
  await query(
    db(),
    `UPDATE commissions AS m SET status = 'rejected', decided_by_type = 'member' FROM conversions AS v
      WHERE v.id = m.conversion_id AND v.workspace_id = $1 AND v.source = 'api'`,
    [story.shop.scope.workspaceId],
  );
  await story.send(invoicePaymentPaid({ invoice, paymentIntent }));

  const statuses = await query<{ source: string; status: string; due: number }>(
    db(),
    `SELECT v.source, m.status, m.amount_cents AS due FROM conversions AS v
       JOIN commissions AS m ON m.conversion_id = v.id WHERE v.workspace_id = $1 ORDER BY v.source`,
    [story.shop.scope.workspaceId],
  );
  expect(statuses).toEqual([
    { source: 'api', status: 'rejected', due: 2_000 },
    { source: 'stripe', status: 'pending', due: 2_000 },
  ]);
});

it('a partner who was not approved when a payment was told is not credited with it later', async () => {
  const story = await buildStory(deps, { recurring: true });
  const { user: customerId, shop } = story;
  const sale = (days: number) => story.report({ customerId, occurredAt: on(days) });
  const become = (status: string) =>
    query(db(), 'UPDATE participants SET status = $2 WHERE id = $1', [shop.participant.id, status]);
  await story.signUp();
  await become('suspended');
  await sale(10);
  await become('approved');
  await sale(20);
  await sale(5);

  expect(await story.due()).toEqual(['partner 2000', 'nobody 0', 'partner 2000']);
});
