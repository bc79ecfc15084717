import { newId } from '../../../../entities/ids';
import { execute } from '../../../../entities/database/sql';
import type { Json } from '../../../../entities/rules/billing/json';
import { useDeps } from '../../../support/app';
import { buildClick } from '../../../support/build/clicks';
import { buildReport, recordConversion } from '../../../support/build/conversions';
import { buildParticipant, buildPromoCode } from '../../../support/build/programs';
import {
  asyncPaymentSucceeded,
  checkoutCompleted,
  invoicePaid,
  invoicePaymentPaid,
  stripeId,
} from '../../../support/stripe/events';
import { oldShape } from '../../../support/stripe/fixtures';
import { buildStripeShop, conversionsOf, type StripeShop } from '../../../support/stripe/shop';

const deps = useDeps();

const minute = 60_000;
const day = 24 * 60 * minute;
const date = (text: string): Date => new Date(`${text}T12:00:00Z`);
const read = (shop: StripeShop) => conversionsOf(deps.db.manager, shop.scope);
const subscriber = () => ({ subscription: stripeId('sub'), customer: stripeId('cus') });

describe('what a customer paid before the first attributed payment (payments.md, Windows)', () => {
  const organic = ['2026-01-05', '2026-02-05', '2026-03-05'].map(date);

  it.each([
    ['another subscription', true],
    ['another subscription, recurring off', false],
  ])('for %s is no renewal of it', async (_name, recurring) => {
    const shop = await buildStripeShop(deps, { recurring });
    const ids = subscriber();
    for (const paidAt of organic) await shop.send(invoicePaid({ ...ids, paidAt }));

    const click = await shop.click(date('2026-03-20'));
    const { customer } = ids;
    await shop.send(checkoutCompleted({ customer, click, at: date('2026-03-21'), amount: 5_000 }));

    expect(await read(shop)).toMatchObject([{ eventType: 'purchase', amountCents: 5_000 }]);
    const later = await shop.receive(invoicePaid({ ...ids, paidAt: date('2026-02-05') }));
    for (const id of later) await shop.process(id);
    await shop.followUp();
    expect(await read(shop)).toHaveLength(1);

    await shop.send(invoicePaid({ ...ids, paidAt: date('2026-04-05') }));
    expect(await read(shop)).toMatchObject([{}, { eventType: 'renewal', attributed: true }]);
  });

  it('for the same subscription is none either', async () => {
    const shop = await buildStripeShop(deps, { recurring: true });
    const ids = subscriber();
    const { code } = await buildPromoCode(deps.db.manager, shop.participant);
    for (const paidAt of organic) await shop.send(invoicePaid({ ...ids, paidAt }));

    const discounts = [{ coupon: null, promotion_code: { id: 'promo_1', code } }];
    const paidAt = date('2026-04-05');
    await shop.send(invoicePaid({ ...ids, paidAt, object: { discounts } }));

    expect(await read(shop)).toHaveLength(1);
  });

  it('is told from a renewal by the times of Stripe, not by that of a late report', async () => {
    const shop = await buildStripeShop(deps, { recurring: true });
    const [ids, paymentIntent] = [subscriber(), stripeId('pi')];
    await shop.send(
      invoicePaid({ ...ids, version: oldShape, paymentIntent, paidAt: date('2026-01-05') }),
      invoicePaid({ ...ids, paidAt: date('2026-02-05') }),
    );

    await recordConversion(
      deps.db.manager,
      { scope: shop.scope, now: new Date() },
      buildReport({ externalTransactionId: paymentIntent, clickId: await shop.click() }),
    );
    await shop.followUp();

    expect(await read(shop)).toMatchObject([{ eventType: 'renewal' }, { eventType: 'purchase' }]);
  });
});

describe('the checkout of a trial (payments.md, Signals)', () => {
  function trial(options: { click: string }) {
    const ids = subscriber();
    const begins = date('2026-01-02');
    const free = checkoutCompleted({
      ...ids,
      invoice: stripeId('in'),
      paymentIntent: null,
      amount: 0,
      paymentStatus: 'no_payment_required',
      at: begins,
      reference: options.click,
    });
    return { ids, free, firstPaid: new Date(begins.getTime() + 30 * day + minute) };
  }

  it.each<[string, Json]>([
    ['a code of the merchant', { discounts: [{ promotion_code: { id: 'p', code: 'SUMMER20' } }] }],
    ['an id that is no click', { metadata: { aff_click_id: 'left over' } }],
  ])('keeps its click when the first paid invoice carries %s', async (_name, object) => {
    const shop = await buildStripeShop(deps);
    const click = await shop.click(date('2026-01-01'));
    const { ids, free } = trial({ click });

    await shop.send(free, invoicePaid({ ...ids, paidAt: date('2026-01-16'), object }));

    expect(await read(shop)).toMatchObject([{ reason: 'ATTRIBUTED', commission: {} }]);
  });

  it.each([[1], [2]])('earns when its event comes after %i paid invoices', async (count) => {
    const shop = await buildStripeShop(deps, { recurring: true });
    const { ids, free } = trial({ click: await shop.click(date('2026-01-01')) });
    const paid = ['2026-03-02', '2026-02-02']
      .slice(-count)
      .map((on) => invoicePaid({ ...ids, paidAt: date(on) }));

    await shop.send(...paid, free);

    expect(await read(shop)).toMatchObject(
      [{ eventType: 'purchase' }, { eventType: 'renewal' }]
        .slice(0, count)
        .map((one) => ({ ...one, commission: { amountCents: 400 } })),
    );
    expect(new Set(await shop.statuses())).toEqual(new Set(['processed']));
  });

  it.each([
    ['in order', true],
    ['in order', false],
    ['the later one first', true],
    ['the later one first', false],
  ])('is one purchase, whose renewals earn: %s, recurring %s', async (order, recurring) => {
    const shop = await buildStripeShop(deps, { recurring });
    const { ids, free } = trial({ click: await shop.click(date('2026-01-01')) });
    const paid = ['2026-02-02', '2026-03-02'].map((on) =>
      invoicePaid({ ...ids, paidAt: date(on) }),
    );

    await shop.send(free, ...(order === 'in order' ? paid : paid.toReversed()));

    const conversions = await read(shop);
    expect(conversions.map(({ eventType }) => eventType).sort()).toEqual(['purchase', 'renewal']);
    const earned = conversions.map(({ commission }) => commission?.amountCents ?? 0).sort();
    expect(earned).toEqual(recurring ? [400, 400] : [0, 400]);
    expect(conversions.every(({ participantId }) => participantId === shop.participant.id)).toBe(
      true,
    );
    expect(await shop.statuses()).toEqual(['processed', 'processed', 'processed']);
  });

  it('gives an invoice with a signal of its own, and what follows it, to its own partner', async () => {
    const shop = await buildStripeShop(deps, { recurring: true });
    const other = await buildParticipant(deps.db.manager, { program: shop.program });
    const theirs = await buildClick(deps.db.manager, {
      participant: other,
      at: date('2026-02-01'),
    });
    const { ids, free } = trial({ click: await shop.click(date('2026-01-01')) });
    const object = { metadata: { aff_click_id: theirs.id } };

    await shop.send(
      free,
      invoicePaid({ ...ids, paidAt: date('2026-03-02') }),
      invoicePaid({ ...ids, paidAt: date('2026-02-02'), object }),
    );

    expect(await read(shop)).toMatchObject([
      { eventType: 'purchase', participantId: other.id },
      { eventType: 'renewal', participantId: other.id },
    ]);
  });

  it('leaves what its subscription paid before to nobody', async () => {
    const shop = await buildStripeShop(deps);
    const { ids, free } = trial({ click: await shop.click(date('2026-01-01')) });

    await shop.send(invoicePaid({ ...ids, paidAt: date('2025-12-02') }), free);

    expect(await read(shop)).toEqual([]);
  });

  it('comes before the partner of what the customer bought earlier', async () => {
    const shop = await buildStripeShop(deps, { recurring: true });
    const other = await buildParticipant(deps.db.manager, { program: shop.program });
    const theirs = await buildClick(deps.db.manager, {
      participant: other,
      at: date('2026-01-01'),
    });
    const { ids, free, firstPaid } = trial({ click: theirs.id });
    const { customer } = ids;
    const click = await shop.click(date('2025-12-01'));

    await shop.send(
      checkoutCompleted({ customer, click, at: date('2025-12-02') }),
      free,
      invoicePaid({ ...ids, paidAt: firstPaid }),
    );

    expect(await read(shop)).toMatchObject([
      { eventType: 'purchase', participantId: shop.participant.id },
      { eventType: 'purchase', participantId: other.id },
    ]);
  });

  it("is the moment that is compared with the click's window", async () => {
    const shop = await buildStripeShop(deps);
    const click = await shop.click(date('2026-01-01'));
    const { ids, free, firstPaid } = trial({ click });

    await shop.send(free, invoicePaid({ ...ids, paidAt: firstPaid }));

    expect(await read(shop)).toMatchObject([
      { reason: 'ATTRIBUTED', occurredAt: firstPaid.toISOString() },
    ]);
  });

  it('leaves a click of later, named by the subscription, its due', async () => {
    const shop = await buildStripeShop(deps);
    const { ids, free, firstPaid } = trial({ click: 'none of ours' });
    const subscriptionClick = await shop.click(date('2026-01-20'));

    await shop.send(free, invoicePaid({ ...ids, paidAt: firstPaid, subscriptionClick }));

    expect(await read(shop)).toMatchObject([{ reason: 'ATTRIBUTED' }]);
  });
});

describe('a subscription without a checkout, whose invoices carry the click', () => {
  it.each([
    ['in order', true],
    ['in order', false],
    ['the second one first', true],
    ['the second one first', false],
  ])('is one purchase: %s, recurring %s', async (order, recurring) => {
    const shop = await buildStripeShop(deps, { recurring });
    const ids = { ...subscriber(), subscriptionClick: await shop.click(date('2026-01-01')) };
    const invoices = [
      invoicePaid({ ...ids, paidAt: date('2026-01-02'), billingReason: 'subscription_create' }),
      invoicePaid({ ...ids, paidAt: date('2026-01-09') }),
    ];
    const arrived = order === 'in order' ? invoices : invoices.toReversed();
    for (const invoice of arrived) {
      await shop.send(invoice);
      await shop.followUp(new Date(Date.now() + 11 * minute), ids.customer);
    }

    const conversions = await read(shop);
    expect(conversions.map(({ eventType }) => eventType).sort()).toEqual(['purchase', 'renewal']);
    const earned = conversions.map(({ commission }) => commission?.amountCents ?? 0).sort();
    expect(earned).toEqual(recurring ? [400, 400] : [0, 400]);
  });
});

it('a bank debit that comes in after the window earns when its checkout was inside', async () => {
  const shop = await buildStripeShop(deps);
  const click = await shop.click(date('2026-01-01'));
  const ids = { click, session: stripeId('cs_test'), paymentIntent: stripeId('pi') };

  await shop.send(
    checkoutCompleted({ ...ids, paymentStatus: 'unpaid', at: date('2026-01-28') }),
    asyncPaymentSucceeded({ ...ids, at: date('2026-02-03') }),
  );

  expect(await read(shop)).toMatchObject([
    { reason: 'ATTRIBUTED', occurredAt: '2026-02-03T12:00:00.000Z' },
  ]);
});

describe('a subscription whose first payment was refused', () => {
  const weekly = ['2026-01-08', '2026-01-15'].map(date);

  async function refused(reason: string, shop: StripeShop): Promise<void> {
    const { id, programId, workspaceId } = shop.participant;
    const set = (text: string) => execute(deps.db.manager, text, [id]);
    if (reason === 'PARTNER_NOT_APPROVED') {
      await set(`UPDATE participants SET status = 'suspended' WHERE id = $1`);
    } else if (reason === 'PROGRAM_NOT_ACTIVE') {
      await execute(deps.db.manager, `UPDATE programs SET status = 'paused' WHERE id = $1`, [
        programId,
      ]);
    } else {
      await execute(
        deps.db.manager,
        `INSERT INTO program_fraud_rules (program_id, workspace_id, mode, rules, updated_at)
         VALUES ($1, $2, 'test', $3, now())`,
        [
          programId,
          workspaceId,
          JSON.stringify({ too_fast_conversion: { action: 'reject', threshold: 10 } }),
        ],
      );
    }
  }

  async function allowed(shop: StripeShop): Promise<void> {
    const { id, programId } = shop.participant;
    const db = deps.db.manager;
    await execute(db, `UPDATE participants SET status = 'approved' WHERE id = $1`, [id]);
    await execute(db, `UPDATE programs SET status = 'active' WHERE id = $1`, [programId]);
  }

  it.each(['FRAUD_REJECTED', 'PARTNER_NOT_APPROVED', 'PROGRAM_NOT_ACTIVE'])(
    'as %s never earns later',
    async (reason) => {
      const shop = await buildStripeShop(deps, { recurring: true });
      const ids = subscriber();
      const click = await shop.click(new Date('2026-01-01T11:59:55Z'));
      await refused(reason, shop);
      const invoice = stripeId('in');
      await shop.send(
        checkoutCompleted({ ...ids, invoice, paymentIntent: null, click, at: date('2026-01-01') }),
      );
      await allowed(shop);

      for (const paidAt of weekly) {
        await shop.send(invoicePaid({ ...ids, paidAt, subscriptionClick: click }));
      }

      const refusal = { attributed: false, reason, commission: null };
      expect(await read(shop)).toMatchObject([
        { eventType: 'purchase', ...refusal },
        { eventType: 'renewal', ...refusal },
        { eventType: 'renewal', ...refusal },
      ]);
    },
  );

  it('for another reason is judged anew', async () => {
    const shop = await buildStripeShop(deps, { recurring: true });
    const ids = subscriber();
    await shop.send(
      invoicePaid({ ...ids, subscriptionClick: newId(), paidAt: weekly[0] as Date }),
      invoicePaid({
        ...ids,
        paidAt: weekly[1] as Date,
        subscriptionClick: await shop.click(weekly[0]),
      }),
    );

    expect(await read(shop)).toMatchObject([{ attributed: false }, { attributed: true }]);
  });
});

it('one payment that was two conversions counts once, though one had no commission', async () => {
  const shop = await buildStripeShop(deps);
  const [invoice, paymentIntent] = [stripeId('in'), stripeId('pi')];
  const ids = subscriber();
  const first = { ...ids, click: await shop.click(date('2026-01-01')), at: date('2026-01-02') };
  await shop.send(
    checkoutCompleted({ ...first, invoice: stripeId('in'), paymentIntent: null }),
    invoicePaid({ ...ids, invoice, paidAt: date('2026-02-02') }),
  );
  await recordConversion(
    deps.db.manager,
    { scope: shop.scope, now: new Date() },
    buildReport({
      externalTransactionId: paymentIntent,
      clickId: await shop.click(),
      amountCents: 2_000,
    }),
  );

  await shop.send(invoicePaymentPaid({ invoice, paymentIntent }));

  expect(await read(shop)).toMatchObject([
    { refundedCents: 0 },
    { eventType: 'renewal', commission: null, refundedCents: 2_000 },
    { refundedCents: 0, commission: { amountCents: 400 } },
  ]);
});

it('a subscription of a checkout without a signal is a renewal by customer', async () => {
  const shop = await buildStripeShop(deps, { recurring: true });
  const click = await shop.click(date('2026-01-01'));
  const { customer } = subscriber();
  const ids = { customer, subscription: stripeId('sub'), invoice: stripeId('in') };
  const at = date('2026-02-02');
  await shop.send(
    checkoutCompleted({ customer, click, at: date('2026-01-02') }),
    checkoutCompleted({ ...ids, paymentIntent: null, amount: 2_000, at }),
    invoicePaid({ ...ids, paidAt: at, billingReason: 'subscription_create' }),
  );

  expect(await read(shop)).toMatchObject([
    { eventType: 'purchase' },
    { eventType: 'renewal', attributed: true, commission: { amountCents: 400 } },
  ]);
});
