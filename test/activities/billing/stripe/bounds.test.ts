import { createStripeActivities } from '../../../../activities/billing/activities';
import { execute, query, queryOne } from '../../../../entities/database/sql';
import { buildPromoCode } from '../../../support/build/programs';
import {
  chargeUpdated,
  checkoutCompleted,
  invoicePaid,
  stripeId,
} from '../../../support/stripe/events';
import { buildStripeShop, conversionsOf, type StripeShop } from '../../../support/stripe/shop';
import { useStripe } from '../../../support/stripe/suite';

const { deps, stripe } = useStripe();

const hour = 3_600_000;
const ago = (ms: number): Date => new Date(Date.now() - ms);
const looksOf = (shop: StripeShop) =>
  query<{ payload: object }>(
    deps.db.manager,
    `SELECT payload FROM outbox JOIN stripe_payments AS p ON p.id = ref
      WHERE topic = 'stripe_payment' AND p.workspace_id = $1`,
    [shop.scope.workspaceId],
  );

/** Inserts `count` invoices of a customer that are nothing of ours, without their events, a day from each other. */
async function insertInvoices(shop: StripeShop, customer: string, count: number): Promise<void> {
  await execute(
    deps.db.manager,
    `WITH made AS (
       INSERT INTO stripe_payments (id, workspace_id, mode, subscription_id, customer_id, paid_at,
         created_at, sale)
       SELECT gen_random_uuid(), $1, $2, 'sub_of_' || $3, $3, now() + n * interval '1 day', now(),
              jsonb_build_object('externalId', 'in_' || $3 || n, 'toldBy', 'invoice',
                'paidAt', now() + n * interval '1 day', 'madeAt', now() + n * interval '1 day',
                'periodAt', NULL, 'amountCents', 100, 'grossCents', 100, 'currency', 'usd',
                'begins', false, 'isPart', false, 'mayHaveCheckout', false, 'hasCheckout', false,
                'signals', '{"clickIds": [], "metadataClickIds": [], "codes": []}'::jsonb,
                'aliases', jsonb_build_array('in_' || $3 || n), 'feeCents', NULL)
         FROM generate_series(1, $4::int) AS n RETURNING id, sale)
     INSERT INTO stripe_objects (workspace_id, mode, object_id, payment_id)
     SELECT $1, $2, sale->>'externalId', id FROM made`,
    [shop.scope.workspaceId, shop.scope.mode, customer, count],
  );
}

describe('one event does bounded work', () => {
  it('credits the renewals that were told before it at once', async () => {
    const shop = await buildStripeShop(deps, { recurring: true });
    const ids = { subscription: stripeId('sub'), customer: stripeId('cus') };
    const months = [1, 2, 3].map((n) => new Date(Date.now() + n * 31 * 24 * hour));
    for (const paidAt of months) await shop.send(invoicePaid({ ...ids, paidAt }));

    const click = await shop.click(ago(hour));
    const [first = ''] = await shop.receive(
      checkoutCompleted({ ...ids, click, invoice: stripeId('in'), paymentIntent: null }),
    );
    await shop.process(first);
    expect(await conversionsOf(deps.db.manager, shop.scope)).toHaveLength(4);
  });

  it('leaves what is more than a hundred of them to work that follows', async () => {
    const shop = await buildStripeShop(deps);
    const customer = stripeId('cus');
    await insertInvoices(shop, customer, 120);

    const click = await shop.click(ago(hour));
    const [id = ''] = await shop.receive(checkoutCompleted({ customer, click, at: ago(60_000) }));
    await shop.process(id);
    expect(await conversionsOf(deps.db.manager, shop.scope)).toHaveLength(100);

    await shop.followUp();
    expect(await conversionsOf(deps.db.manager, shop.scope)).toHaveLength(121);
  });

  it('leaves no work when nothing new is known of the payment', async () => {
    const shop = await buildStripeShop(deps);
    const [customer, paymentIntent] = [stripeId('cus'), stripeId('pi')];
    const click = await shop.click(ago(hour));
    await shop.send(checkoutCompleted({ customer, click, paymentIntent, at: ago(60_000) }));
    await insertInvoices(shop, customer, 10);

    const [id = ''] = await shop.receive(chargeUpdated({ charge: stripeId('ch'), paymentIntent }));
    await shop.process(id);
    expect(await looksOf(shop)).toEqual([]);
  });

  it('gives up a payment that has more objects than one can have', async () => {
    const shop = await buildStripeShop(deps);
    const paymentIntent = stripeId('pi');
    const { workspaceId, mode } = shop.scope;
    await shop.send(checkoutCompleted({ paymentIntent }));
    await execute(
      deps.db.manager,
      `INSERT INTO stripe_objects (workspace_id, mode, object_id, payment_id)
       SELECT $1, $2, $3 || '_' || n, payment_id FROM stripe_objects, generate_series(1, 300) AS n
        WHERE workspace_id = $1 AND mode = $2 AND object_id = $3`,
      [workspaceId, mode, paymentIntent],
    );

    const [id = ''] = await shop.receive(chargeUpdated({ charge: stripeId('ch'), paymentIntent }));
    const state = await createStripeActivities(deps).attemptStripeEvent({ eventId: id });
    expect(state).toMatchObject({ status: 'failed' });
    expect(await errorOf(id)).toBe('Its payment has more objects than one payment can have.');
  });
});

describe('the error that a merchant reads', () => {
  it('is a sentence for each class of error', async () => {
    const shop = await buildStripeShop(deps, { restrictedKey: 'rk_test_key' });
    const [id = ''] = await shop.receive(checkoutCompleted({ click: await shop.click() }));
    stripe.broken = true;

    await expect(shop.process(id)).rejects.toThrow();
    expect(await errorOf(id)).toBe(
      'Stripe did not answer when it was asked for what the event leaves out.',
    );
  });

  it('stays on the connection until the same read is answered', async () => {
    const shop = await buildStripeShop(deps, { restrictedKey: 'rk_test_key' });
    const { code } = await buildPromoCode(deps.db.manager, shop.participant);
    const discounts = [{ coupon: null, promotion_code: 'promo_1' }];
    const path = '/v1/promotion_codes/promo_1';
    stripe.forbidden.add(path);
    await shop.send(checkoutCompleted({ object: { discounts } }));
    expect(await lastErrorOf(shop)).toMatch(/promotion codes/);

    const click = await shop.click(ago(hour));
    await shop.send(checkoutCompleted({ click }), chargeUpdated({ charge: stripeId('ch') }));
    expect(await lastErrorOf(shop)).toMatch(/promotion codes/);

    stripe.forbidden.clear();
    stripe.set(path, { id: 'promo_1', object: 'promotion_code', code });
    await shop.send(checkoutCompleted({ object: { discounts } }));
    expect(await lastErrorOf(shop)).toBeNull();
  });
});

async function errorOf(eventId: string): Promise<string | undefined> {
  const row = await queryOne<{ error: string }>(
    deps.db.manager,
    'SELECT error FROM stripe_events WHERE id = $1',
    [eventId],
  );
  return row?.error;
}

async function lastErrorOf({ connectionId }: StripeShop): Promise<string | null | undefined> {
  const row = await queryOne<{ error: string | null }>(
    deps.db.manager,
    'SELECT last_error AS error FROM stripe_connections WHERE id = $1',
    [connectionId],
  );
  return row?.error;
}
