import fc from 'fast-check';
import { recordConversion } from '../../../activities/purchases/report-purchase';
import { applyInTransaction } from '../../../activities/stripe/payments/apply';
import { findEarlierPayments } from '../../../activities/stripe/payments/earlier-payments';
import { query } from '../../../entities/database/sql';
import { AppError } from '../../../entities/errors';
import { processorActor } from '../../../entities/rules/values/actor';
import { readStripeFacts } from '../../../entities/rules/stripe/read-event';
import { waitsForLock } from '../../support/faults/waits-for-lock';
import { useDeps } from '../../support/app';
import { buildReport } from '../../support/build/conversions';
import { eventually } from '../../support/eventually';
import {
  asyncPaymentSucceeded,
  chargeSucceeded,
  checkoutCompleted,
  invoicePaid,
  invoicePaymentPaid,
  stripeId,
} from '../../support/stripe/events';
import { oldShape } from '../../support/stripe/fixtures';
import { buildStripeShop, conversionsOf, type StripeShop } from '../../support/stripe/shop';
import { isNightly } from '../../support/run/nightly';

const deps = useDeps();

const day = 86_400_000;
const begin = Date.parse('2026-01-01T12:00:00Z');
const on = (days: number): Date => new Date(begin + days * day);
const many = 30;
/** The same stories each day; `npm run test:nightly` tells more, and others each time. */
const stories = isNightly ? { numRuns: 50 } : { numRuns: 6, seed: 20_261_127 };

const processed = async (shop: StripeShop, ...events: Parameters<StripeShop['receive']>) => {
  for (const id of await shop.receive(...events)) await shop.process(id);
};
const conversionCount = async ({ scope }: StripeShop) =>
  (await conversionsOf(deps.db.manager, scope)).length;

/** Invoices of one customer that came before anything was known of the customer. */
async function sendOpen(shop: StripeShop, customer: string, ofOne?: string): Promise<void> {
  for (let n = 1; n <= many; n += 1) {
    const subscription = ofOne ?? stripeId('sub');
    await processed(shop, invoicePaid({ customer, subscription, paidAt: on(n) }));
  }
}

describe('open payments are queued once', () => {
  it.each(['one subscription', 'a subscription each'])('that have %s', async (name) => {
    const shop = await buildStripeShop(deps, { recurring: true });
    const [customer, subscription] = [stripeId('cus'), stripeId('sub')];
    await sendOpen(shop, customer, name === 'one subscription' ? subscription : undefined);

    const click = await shop.click(on(-1));
    const invoice = stripeId('in');
    const made = { customer, subscription, invoice, paymentIntent: null };
    await processed(shop, checkoutCompleted({ ...made, click, at: on(0) }));

    expect(await shop.followUp()).toBe(many);
    expect(await conversionCount(shop)).toBe(many + 1);
  });

  it('by the report of the merchant, too', async () => {
    const shop = await buildStripeShop(deps, { recurring: true });
    const [customer, paymentIntent] = [stripeId('cus'), stripeId('pi')];
    const first = { customer, paymentIntent, subscription: stripeId('sub'), paidAt: on(0) };
    await processed(shop, invoicePaid({ ...first, version: oldShape }));
    await sendOpen(shop, customer);

    await report(shop, paymentIntent);

    expect(await shop.followUp()).toBe(many + 1);
    expect(await conversionCount(shop)).toBe(many + 1);
  });

  it('and not at all by sales that credit nobody', async () => {
    const shop = await buildStripeShop(deps, { recurring: true });
    const customer = stripeId('cus');
    await sendOpen(shop, customer);
    const click = await shop.click(on(-300));
    for (let n = 0; n < 3; n += 1) {
      await processed(shop, checkoutCompleted({ customer, click, at: on(0) }));
    }

    expect(await shop.followUp()).toBe(0);
    expect(await conversionCount(shop)).toBe(3);
  });
});

describe('no renewal is forgotten', () => {
  it('of an invoice that is applied while the merchant reports the first payment', async () => {
    const shop = await buildStripeShop(deps, { recurring: true });
    const ids = { customer: stripeId('cus'), subscription: stripeId('sub') };
    const paymentIntent = stripeId('pi');
    const first = invoicePaid({ ...ids, paymentIntent, version: oldShape, paidAt: on(0) });
    await processed(shop, first);

    const facts = readStripeFacts(invoicePaid({ ...ids, paidAt: on(30) }), on(30).toISOString());
    const context = { scope: shop.scope, actor: processorActor, now: new Date() };
    let looked: Promise<number> | undefined;
    await applyInTransaction(deps.db.manager, context, {
      facts: facts ?? { objects: [], ids: [], email: null },
      prospect: null,
      then: async () => {
        await report(shop, paymentIntent);
        looked = shop.followUp();
        await eventually(() => waitsForLock(deps.db.manager));
      },
    });
    await looked;

    await shop.followUp();
    expect(await conversionCount(shop)).toBe(2);
  });

  it('when the reported payment is merged before its follow-up', async () => {
    const shop = await buildStripeShop(deps, { recurring: true });
    const ids = { customer: stripeId('cus'), subscription: stripeId('sub') };
    const [invoice, paymentIntent] = [stripeId('in'), stripeId('pi')];
    await processed(shop, chargeSucceeded({ charge: stripeId('ch'), paymentIntent }));
    await processed(shop, invoicePaid({ ...ids, invoice, paidAt: on(0) }));
    await processed(shop, invoicePaid({ ...ids, paidAt: on(30) }));

    await report(shop, invoice);
    await processed(shop, invoicePaymentPaid({ invoice, paymentIntent }));

    await shop.followUp();
    expect(await forgotten(shop)).toEqual([]);
    expect(await conversionCount(shop)).toBe(2);
  });

  it('of an invoice that is merged into its older charge while its follow-up waits', async () => {
    const shop = await buildStripeShop(deps, { recurring: true });
    const ids = { customer: stripeId('cus'), subscription: stripeId('sub') };
    const first = { invoice: stripeId('in'), paymentIntent: stripeId('pi') };
    const renewal = { invoice: stripeId('in'), paymentIntent: stripeId('pi') };
    const { paymentIntent } = renewal;
    await processed(shop, chargeSucceeded({ charge: stripeId('ch'), paymentIntent }));
    await processed(shop, invoicePaid({ ...ids, invoice: renewal.invoice, paidAt: on(30) }));
    await processed(shop, invoicePaid({ ...ids, invoice: first.invoice, paidAt: on(0) }));
    await report(shop, first.paymentIntent);
    await processed(shop, invoicePaymentPaid(first));

    await processed(shop, invoicePaymentPaid(renewal));

    await shop.followUp();
    expect(await forgotten(shop)).toEqual([]);
    expect(await conversionCount(shop)).toBe(2);
  });

  it('when another conversion of the payment is found to be the one that earns', async () => {
    const shop = await buildStripeShop(deps, { recurring: true });
    const ids = { customer: stripeId('cus'), subscription: stripeId('sub') };
    const [invoice, paymentIntent] = [stripeId('in'), stripeId('pi')];
    await processed(
      shop,
      invoicePaid({ ...ids, ...signal('no click'), invoice, paidAt: on(0) }),
      invoicePaid({ ...ids, paidAt: on(30) }),
    );

    await report(shop, paymentIntent);
    await processed(shop, invoicePaymentPaid({ invoice, paymentIntent }));

    await shop.followUp();
    expect(await forgotten(shop)).toEqual([]);
    expect(await conversionCount(shop)).toBe(3);
  });

  it('when the payment turns out to be earlier than it was reported', async () => {
    const shop = await buildStripeShop(deps, { recurring: true });
    const [customer, session] = [stripeId('cus'), stripeId('cs_test')];
    const checkout = { customer, session, paymentIntent: null };
    await processed(shop, checkoutCompleted({ ...checkout, paymentStatus: 'unpaid', at: on(0) }));
    await processed(shop, invoicePaid({ customer, subscription: stripeId('sub'), paidAt: on(5) }));
    await report(shop, session, on(10));
    await shop.followUp();
    expect(await conversionCount(shop)).toBe(1);

    await processed(shop, asyncPaymentSucceeded({ ...checkout, at: on(3) }));

    await shop.followUp();
    expect(await forgotten(shop)).toEqual([]);
    expect(await conversionCount(shop)).toBe(2);
  });

  it('whatever arrives first', async () => {
    const payment = fc.record({
      subscription: fc.constantFrom('A', 'B', 'C'),
      customer: fc.constantFrom('1', '2', null),
      day: fc.integer({ min: 0, max: 6 }),
      carries: fc.constantFrom('none', 'none', 'none', 'good', 'unknown'),
      looksAfterwards: fc.boolean(),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(payment, { minLength: 2, maxLength: 9 }), async (payments) => {
        const shop = await buildStripeShop(deps, { recurring: true });
        const run = stripeId('run');
        const click = {
          none: {},
          good: signal(await shop.click(on(-1))),
          unknown: signal('no click'),
        };
        let queued = 0;
        for (const { subscription, customer, carries, ...one } of payments) {
          const ids = {
            subscription: `sub_${run}${subscription}`,
            customer: customer && `cus_${run}${customer}`,
            ...click[carries],
          };
          await processed(shop, invoicePaid({ ...ids, paidAt: on(one.day) }));
          if (one.looksAfterwards) queued += await shop.followUp();
        }
        queued += await shop.followUp();

        expect(await forgotten(shop)).toEqual([]);
        expect(queued).toBeLessThanOrEqual(2 * payments.length);
      }),
      stories,
    );
  }, 180_000);

  it('whatever is reported, merged and paid before it is looked for', async () => {
    const payments = fc.array(fc.oneof(invoiced, invoiced, checkedOut), {
      minLength: 2,
      maxLength: 6,
    });
    // Of all steps of all payments, which comes next, and whether renewals are looked for then.
    const turns = fc.array(fc.record({ of: fc.nat(5), looks: fc.boolean() }), { maxLength: 30 });
    await fc.assert(
      fc.asyncProperty(payments, turns, async (made, order) => {
        const shop = await buildStripeShop(deps, { recurring: true });
        const run = stripeId('run');
        const steps = made.map((payment) => stepsOf(shop, run, payment));
        for (const { of, looks } of order) {
          await steps[of % steps.length]?.shift()?.();
          if (looks) await shop.followUp();
        }
        for (const step of steps.flat()) await step();
        await shop.followUp();

        expect(await forgotten(shop)).toEqual([]);
      }),
      stories,
    );
  }, 180_000);
});

/** An invoice that may be reported, and whose charge may be found to be its own. */
const invoiced = fc.record({
  subscription: fc.constantFrom('A', 'B'),
  customer: fc.constantFrom('1', '2', null),
  day: fc.integer({ min: 0, max: 6 }),
  carries: fc.constantFrom('none', 'none', 'unknown'),
  reported: fc.constantFrom('not', 'not', 'invoice', 'intent'),
  hasCharge: fc.boolean(),
  isJoined: fc.boolean(),
});

/** A checkout that is reported with a later time before it is paid. */
const checkedOut = fc.record({
  customer: fc.constantFrom('1', '2'),
  day: fc.integer({ min: 0, max: 6 }),
  late: fc.integer({ min: 0, max: 4 }),
});

type Generated<T> = T extends fc.Arbitrary<infer Value> ? Value : never;
type Steps = (() => Promise<unknown>)[];

function stepsOf(
  shop: StripeShop,
  run: string,
  payment: Generated<typeof invoiced> | Generated<typeof checkedOut>,
): Steps {
  const customer = payment.customer && `cus_${run}${payment.customer}`;
  const paidAt = on(payment.day);
  if ('late' in payment) return checkoutSteps(shop, { customer, paidAt, late: payment.late });
  const { carries, reported, hasCharge, isJoined } = payment;
  const [invoice, paymentIntent] = [stripeId('in'), stripeId('pi')];
  const ids = { invoice, customer, subscription: `sub_${run}${payment.subscription}` };
  const click = carries === 'unknown' ? signal('no click') : {};
  const charged = chargeSucceeded({ charge: stripeId('ch'), paymentIntent });
  return [
    ...(hasCharge ? [() => processed(shop, charged)] : []),
    () => processed(shop, invoicePaid({ ...ids, ...click, paidAt })),
    ...(reported === 'not'
      ? []
      : [() => reportAtAll(shop, reported === 'invoice' ? invoice : paymentIntent)]),
    ...(isJoined ? [() => processed(shop, invoicePaymentPaid({ invoice, paymentIntent }))] : []),
  ];
}

function checkoutSteps(
  shop: StripeShop,
  { customer, paidAt, late }: { customer: string | null; paidAt: Date; late: number },
): Steps {
  const checkout = { customer, session: stripeId('cs_test'), paymentIntent: null };
  const opened = checkoutCompleted({ ...checkout, paymentStatus: 'unpaid', at: paidAt });
  const reportedAt = new Date(paidAt.getTime() + late * day);
  return [
    () => processed(shop, opened),
    () => report(shop, checkout.session, reportedAt),
    () => processed(shop, asyncPaymentSucceeded({ ...checkout, at: paidAt })),
  ];
}

const signal = (subscriptionClick: string) => ({ subscriptionClick });

function report(
  shop: StripeShop,
  externalTransactionId: string,
  occurredAt = on(0),
): Promise<unknown> {
  return shop
    .click(on(-1))
    .then((clickId) =>
      recordConversion(
        deps.db.manager,
        { scope: shop.scope, now: new Date() },
        buildReport({ externalTransactionId, clickId, occurredAt }),
      ),
    );
}

/** Stripe may have made the payment a conversion before. */
async function reportAtAll(shop: StripeShop, id: string): Promise<void> {
  await report(shop, id).catch((error: unknown) => {
    if (!(error instanceof AppError) || error.code !== 'CONVERSION_DUPLICATE') throw error;
  });
}

/** What is no conversion, though an earlier payment says whose it is. */
async function forgotten({ scope }: StripeShop): Promise<unknown[]> {
  const db = deps.db.manager;
  const open = await query<Parameters<typeof findEarlierPayments>[2]>(
    db,
    `SELECT id, subscription_id AS "subscriptionId", customer_id AS "customerId",
            paid_at AS "paidAt" FROM stripe_payments
      WHERE workspace_id = $1 AND mode = $2 AND conversion_id IS NULL`,
    [scope.workspaceId, scope.mode],
  );
  const left: unknown[] = [];
  for (const payment of open) {
    const { credit } = await findEarlierPayments(db, scope, payment);
    if (credit) left.push(payment);
  }
  return left;
}
