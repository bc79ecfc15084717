import { catchUp, catchUpNext } from '../../../../activities/billing/catch-up';
import { connectBiller } from '../../../../activities/billing/connection/connect';
import { findConnection } from '../../../../activities/billing/connection/connection';
import { eventsApiVersion } from '../../../../activities/billing/stripe/endpoint';
import { keepNextConnection } from '../../../../activities/billing/connection/keep';
import { problemsOf } from '../../../../activities/billing/connection/problems';
import { missingKindsOf } from '../../../../activities/billing/stripe/missing-kinds';
import { execute, query, queryOne } from '../../../../entities/database/sql';
import { stripeEventTypes } from '../../../../entities/rules/stripe/read-event';
import { systemActor } from '../../../../entities/rules/values/actor';
import { buildPromoCode } from '../../../support/build/programs';
import {
  chargeRefunded,
  chargeSucceeded,
  checkoutCompleted,
  invoicePaid,
  invoicePaymentPaid,
  stripeId,
} from '../../../support/stripe/events';
import { oldShape } from '../../../support/stripe/fixtures';
import { buildStripeShop, conversionsOf, type StripeShop } from '../../../support/stripe/shop';
import { useStripe } from '../../../support/stripe/suite';

const { deps, stripe } = useStripe();
beforeEach(() => execute(deps.db.manager, 'UPDATE stripe_connections SET kept_at = now()'));

const restrictedKey = 'rk_test_key';
const day = 24 * 3_600_000;
const causeAt = (now: Date) => ({ actor: systemActor, now });
const read = (shop: StripeShop) => conversionsOf(deps.db.manager, shop.scope);

/** The connection as it is, with what is wrong with it. */
async function stateOf(shop: StripeShop) {
  const connection = await findConnection(deps.db.manager, shop.scope, 'stripe');
  if (!connection) throw new Error('no connection');
  const problems = await problemsOf(deps.db.manager, connection);
  return { ...connection, error: problems.lastError, missing: problems.missingKinds };
}

const set = (shop: StripeShop, columns: string): Promise<number> =>
  execute(deps.db.manager, `UPDATE stripe_connections SET ${columns} WHERE id = $1`, [
    shop.connectionId,
  ]);

const noticesOf = (shop: StripeShop) =>
  query<{ type: string; title: string; body: string }>(
    deps.db.manager,
    'SELECT type, title, body FROM notifications WHERE feed_id = $1 ORDER BY seq',
    [shop.scope.workspaceId],
  );

describe('what the endpoint of a connection without a key does not send', () => {
  it('is named once a new-shape invoice shows it, until it comes or a key is there', async () => {
    const shop = await buildStripeShop(deps);
    const invoice = stripeId('in');
    await shop.send(invoicePaid({ version: oldShape, paymentIntent: stripeId('pi') }));
    await shop.send(invoicePaid({ amount: 0 }));
    expect(await stateOf(shop)).toMatchObject({ missing: [], error: null });

    await shop.send(invoicePaid({ invoice }));
    expect(await stateOf(shop)).toMatchObject({
      missing: ['invoice_payment.paid'],
      error: expect.stringContaining('invoice_payment.paid'),
    });
    expect(missingKindsOf({ ...(await stateOf(shop)), restrictedKey: 'there' })).toEqual([]);

    await shop.send(invoicePaymentPaid({ invoice, paymentIntent: stripeId('pi') }), invoicePaid());
    expect(await stateOf(shop)).toMatchObject({ missing: [], error: null });
  });

  it('is the text of promotion codes, where partners have some', async () => {
    const shop = await buildStripeShop(deps);
    expect((await stateOf(shop)).error).toBeNull();
    await buildPromoCode(deps.db.manager, shop.participant, { code: `C${Date.now()}` });
    expect((await stateOf(shop)).error).toContain('promotion codes');
    const keyed = await buildStripeShop(deps, { restrictedKey });
    await buildPromoCode(deps.db.manager, keyed.participant, { code: `K${Date.now()}` });
    expect((await stateOf(keyed)).error).toBeNull();
  });
});

describe('a connection, once a day', () => {
  const endpoint = (shop: StripeShop, more: object = {}) => ({
    url: `${deps.config.publicBaseUrl}/webhooks/stripe/${shop.connectionId}`,
    events: [...stripeEventTypes] as string[],
    secret: 'whsec_old',
    key: restrictedKey,
    apiVersion: eventsApiVersion as string | null,
    status: 'enabled' as const,
    ...more,
  });

  async function registered(more: object) {
    const shop = await buildStripeShop(deps, { restrictedKey });
    stripe.endpoints.set('we_1', endpoint(shop, more));
    await set(shop, `registered_endpoint_id = 'we_1'`);
    return shop;
  }

  it('has its endpoint told of new kinds, and switched on again', async () => {
    await registered({ events: ['invoice.paid'], status: 'disabled' });
    expect(await keepNextConnection(deps, causeAt(new Date()))).toBe(1);
    expect(stripe.endpoints.get('we_1')).toMatchObject({
      events: [...stripeEventTypes],
      status: 'enabled',
    });
    const calls = stripe.calls.length;
    // Nothing is read again on the same day, by this process or another.
    expect(await keepNextConnection(deps, causeAt(new Date()))).toBe(0);
    expect(stripe.calls).toHaveLength(calls);
  });

  it('has one of another version replaced, with its secret', async () => {
    const shop = await registered({ apiVersion: '2020-08-27' });
    const before = await stateOf(shop);
    await keepNextConnection(deps, causeAt(new Date()));
    const after = await stateOf(shop);
    expect(stripe.endpoints.has('we_1')).toBe(false);
    expect(stripe.endpoints.has(after.registeredEndpointId ?? '')).toBe(true);
    expect(after.webhookSecret).not.toBe(before.webhookSecret);
  });

  it('says when it is gone, and keeps the old one when the key may not register', async () => {
    const shop = await registered({});
    stripe.endpoints.clear();
    await keepNextConnection(deps, causeAt(new Date()));
    expect((await stateOf(shop)).error).toContain('is gone');

    const other = await registered({ apiVersion: '2020-08-27' });
    stripe.unknownKeys.add(restrictedKey);
    await keepNextConnection(deps, causeAt(new Date()));
    expect(await stateOf(other)).toMatchObject({ registeredEndpointId: 'we_1' });
    expect(stripe.endpoints.has('we_1')).toBe(true);
  });

  it('tells the workspace of refunds that have waited for more than a day, once a day', async () => {
    const shop = await buildStripeShop(deps);
    const [charge, paymentIntent] = [stripeId('ch'), stripeId('pi')];
    await shop.send(
      chargeSucceeded({ charge, paymentIntent }),
      chargeRefunded({ charge, paymentIntent, refunded: 100 }),
    );
    const later = new Date(Date.now() + day + 60_000);
    await keepNextConnection(deps, causeAt(new Date()));
    await set(shop, 'kept_at = NULL');
    await keepNextConnection(deps, causeAt(later));
    await keepNextConnection(deps, causeAt(new Date(later.getTime() + 60_000)));

    expect(await noticesOf(shop)).toEqual([
      {
        type: 'stripe.events_failing',
        title: 'Events from Stripe wait',
        body: expect.stringMatching(/^1 event /),
      },
    ]);
  });
});

describe("what Stripe's list of events holds and we do not", () => {
  it('is taken in by the same intake, in any order, any number of times', async () => {
    const shop = await buildStripeShop(deps, { restrictedKey });
    const [paymentIntent, charge] = [stripeId('pi'), stripeId('ch')];
    const click = await shop.click(new Date(Date.now() - 3_600_000));
    const events = [
      checkoutCompleted({ click, paymentIntent }),
      chargeSucceeded({ charge, paymentIntent }),
      chargeRefunded({ charge, paymentIntent, refunded: 5_000 }),
      ...Array.from({ length: 3 }, () => checkoutCompleted()),
    ];
    await shop.send(...events);
    const ended = await read(shop);

    // The database goes back to a time before them; Stripe does not send them again.
    for (const table of ['stripe_events', 'stripe_objects', 'stripe_payments']) {
      await execute(deps.db.manager, `DELETE FROM ${table} WHERE workspace_id = $1`, [
        shop.scope.workspaceId,
      ]);
    }
    stripe.events.push(...events);
    const command = { since: new Date(0), connectionId: shop.connectionId, readGapMs: 0 };
    const run = () => catchUp(deps, causeAt(new Date()), command);

    expect(await run()).toEqual([
      { connectionId: shop.connectionId, biller: 'stripe', listed: 6, taken: 6, failure: null },
    ]);
    expect(await run()).toMatchObject([{ listed: 6, taken: 0 }]);
    const rows = await query<{ id: string }>(
      deps.db.manager,
      'SELECT id FROM stripe_events WHERE connection_id = $1 ORDER BY id DESC',
      [shop.connectionId],
    );
    for (const { id } of rows) await shop.process(id);

    expect(await read(shop)).toEqual(ended);
    expect(await run()).toMatchObject([{ taken: 0 }]);
  });

  it('makes the sale that was never seen, and only since the time that is named', async () => {
    const shop = await buildStripeShop(deps, { restrictedKey });
    const click = await shop.click(new Date(Date.now() - 3_600_000));
    const old = checkoutCompleted({ click, at: new Date(Date.now() - 10 * day) });
    stripe.events.push(checkoutCompleted({ click }), old);
    const since = new Date(Date.now() - day);
    const command = { since, connectionId: shop.connectionId, readGapMs: 0 };

    expect(await catchUp(deps, causeAt(new Date()), command)).toMatchObject([
      { listed: 1, taken: 1 },
    ]);
    const row = await queryOne<{ rows: number }>(
      deps.db.manager,
      `SELECT count(*) AS rows FROM outbox WHERE topic = 'stripe_event'
          AND payload ->> 'workspaceId' = $1`,
      [shop.scope.workspaceId],
    );
    expect(row?.rows).toBe(1);
  });

  it('is caught up on with a first key, since the connection was made, and once', async () => {
    const shop = await buildStripeShop(deps);
    await set(shop, `created_at = now() - interval '2 days'`);
    const at = new Date(Date.now() - 3_600_000);
    const missed = [1, 2, 3].map(() => checkoutCompleted({ at }));
    stripe.events.push(...missed, checkoutCompleted({ at: new Date(Date.now() - 3 * day) }));
    const putKey = () =>
      connectBiller(
        deps,
        { ...causeAt(new Date()), scope: shop.scope },
        { biller: 'stripe', key: restrictedKey },
      );
    expect(await catchUpNext(deps, causeAt(new Date()))).toBe(0);

    await putKey();
    expect(await catchUpNext(deps, causeAt(new Date()))).toBe(1);
    const taken = () =>
      query(deps.db.manager, 'SELECT id FROM stripe_events WHERE connection_id = $1', [
        shop.connectionId,
      ]);
    expect(await taken()).toHaveLength(3);
    await putKey();
    expect(await catchUpNext(deps, causeAt(new Date()))).toBe(0);
  });

  it('waits while Stripe is away, and is left when the key may not read it', async () => {
    const shop = await buildStripeShop(deps, { restrictedKey });
    stripe.events.push(...[1, 2, 3].map(() => checkoutCompleted()));
    const owe = () => set(shop, `catch_up_since = '2026-01-01T00:00:00Z'`);
    await owe();
    stripe.broken = true;
    expect(await catchUpNext(deps, causeAt(new Date()))).toBe(0);
    stripe.broken = false;
    expect(await catchUpNext(deps, causeAt(new Date()))).toBe(1);
    expect(await shop.statuses()).toHaveLength(3);

    await owe();
    stripe.forbidden.add('/v1/events');
    expect(await catchUpNext(deps, causeAt(new Date()))).toBe(1);
    expect(await catchUpNext(deps, causeAt(new Date()))).toBe(0);
  });

  it('names a connection whose key may not read events, and goes on with others', async () => {
    const shop = await buildStripeShop(deps, { restrictedKey });
    stripe.forbidden.add('/v1/events');
    const command = { since: new Date(0), connectionId: shop.connectionId, readGapMs: 0 };
    expect(await catchUp(deps, causeAt(new Date()), command)).toMatchObject([
      { taken: 0, failure: expect.stringContaining('rak_event_read') },
    ]);
  });
});
