import { Client } from 'pg';
import { replayEvent } from '../../activities/billing/events/receive';
import { systemActor } from '../../entities/rules/values/actor';
import { query, queryOne } from '../../entities/database/sql';
import type { OperatorNote } from '../../entities/rules/values/operator-note';
import { giveUpEventUpdate, retryEventUpdate } from '../../workflows/process-stripe-event';
import { openTestDeps, type TestDeps } from '../support/app';
import { eventually, until } from '../support/eventually';
import { saveHistory } from '../support/workers/histories';
import { chargeRefunded, checkoutCompleted, invoicePaid, stripeId } from '../support/stripe/events';
import { buildStripeShop, conversionsOf, type StripeShop } from '../support/stripe/shop';
import { startStripeStandIn, type StripeStandIn } from '../support/stripe/stand-in';
import { startStripeWorker, type StripeWorker } from '../support/stripe/worker';

let deps: TestDeps;
let stripe: StripeStandIn;
let worker: StripeWorker;

beforeAll(async () => {
  stripe = await startStripeStandIn();
  deps = await openTestDeps({ STRIPE_API_BASE: stripe.url });
  worker = await startStripeWorker(deps);
}, 60_000);
afterAll(async () => {
  await worker.stop();
  await deps.close();
  await stripe.close();
});
beforeEach(() => stripe.reset());

interface EventRow {
  status: string;
  attempts: number;
  error: string | null;
}

async function rowOf(eventId: string): Promise<EventRow | undefined> {
  return queryOne<EventRow>(
    deps.db.manager,
    'SELECT status, attempts, error FROM stripe_events WHERE id = $1',
    [eventId],
  );
}

const replay = (shop: StripeShop, id: string): Promise<void> =>
  replayEvent(
    deps.db.manager,
    { scope: shop.scope, actor: systemActor, now: new Date() },
    { id, biller: 'stripe' },
  );

const hour = 3_600_000;

describe('processStripeEvent', () => {
  it('brings a checkout to its commission and tells its state', async () => {
    const shop = await buildStripeShop(deps);
    const click = await shop.click(new Date(Date.now() - hour));
    const [eventId = ''] = await shop.receive(checkoutCompleted({ click }));

    const [handle] = await worker.relay();
    const state = await handle?.result();

    expect(state).toEqual({ status: 'processed', type: 'checkout.session.completed', attempts: 1 });
    expect(await handle?.query('state')).toEqual(state);
    expect(await conversionsOf(deps.db.manager, shop.scope)).toMatchObject([
      { attributed: true, commission: { amountCents: 2_000 } },
    ]);
    const metadata = await handle?.query<{ currentDetails: string }>(
      '__temporal_workflow_metadata',
    );
    expect(metadata?.currentDetails).toContain(eventId);
    expect(metadata?.currentDetails).toContain('processed');
  });

  it('keeps ids only in its history', async () => {
    const shop = await buildStripeShop(deps);
    await shop.receive(checkoutCompleted({ click: await shop.click() }));

    const [handle] = await worker.relay();
    await handle?.result();

    if (!handle) throw new Error('nothing was relayed');
    const text = await saveHistory(handle, 'process-stripe-event');
    expect(text).not.toContain('example.com');
    expect(text).not.toContain('Robin');
  });

  it('tries again while Stripe is away, visibly', async () => {
    const shop = await buildStripeShop(deps, { restrictedKey: 'rk_test_key' });
    const click = await shop.click(new Date(Date.now() - hour));
    stripe.broken = true;
    const [eventId = ''] = await shop.receive(
      invoicePaid({ click, invoice: stripeId('in'), subscription: stripeId('sub') }),
    );

    const [handle] = await worker.relay({ firstWaitMs: 50, attempts: 100 });
    await until(async () => (await rowOf(eventId))?.status === 'retrying');
    expect((await rowOf(eventId))?.error).toMatch(/Stripe did not answer/);
    stripe.broken = false;

    expect(await handle?.result()).toMatchObject({ status: 'processed' });
    expect((await rowOf(eventId))?.attempts).toBeGreaterThan(1);
    if (handle) await saveHistory(handle, 'process-stripe-event.retried');
  });

  it('waits for as long as its rows are locked, and has all of its attempts left', async () => {
    const shop = await buildStripeShop(deps);
    const [paymentIntent, charge] = [stripeId('pi'), stripeId('ch')];
    const click = await shop.click(new Date(Date.now() - hour));
    await shop.send(checkoutCompleted({ click, paymentIntent }));
    await worker.relay();
    const holder = new Client({ connectionString: deps.config.databaseDirectUrl });
    await holder.connect();
    await holder.query('BEGIN');
    await holder.query('SELECT 1 FROM commissions WHERE workspace_id = $1 FOR UPDATE', [
      shop.scope.workspaceId,
    ]);
    const [eventId = ''] = await shop.receive(
      chargeRefunded({ charge, paymentIntent, refunded: 1_000 }),
    );

    const [handle] = await worker.relay({ firstWaitMs: 50, attempts: 1 });
    if (!handle) throw new Error('nothing was relayed');
    await eventually(async () => {
      const { raw } = await handle.describe();
      const [pending] = raw.pendingActivities ?? [];
      return (pending?.attempt ?? 0) >= 2 ? pending : undefined;
    });
    expect(await rowOf(eventId)).toMatchObject({ status: 'received', attempts: 0, error: null });
    await holder.query('COMMIT');
    await holder.end();
    expect(await handle.result()).toMatchObject({ status: 'processed', attempts: 1 });
  });

  it('gives up after its attempts, and a replay goes on from there', async () => {
    const shop = await buildStripeShop(deps, { restrictedKey: 'rk_test_key' });
    stripe.broken = true;
    const [eventId = ''] = await shop.receive(
      invoicePaid({
        click: await shop.click(),
        invoice: stripeId('in'),
        subscription: stripeId('sub'),
      }),
    );

    const [first] = await worker.relay({ firstWaitMs: 20, attempts: 2 });
    expect(await first?.result()).toMatchObject({ status: 'failed', attempts: 2 });
    expect(await rowOf(eventId)).toMatchObject({ status: 'failed', error: expect.any(String) });

    stripe.broken = false;
    await replay(shop, eventId);
    const [second] = await worker.relay();
    expect(await second?.result()).toMatchObject({ status: 'processed', attempts: 3 });
  });

  it('looks once more when it is told to while it runs', async () => {
    const shop = await buildStripeShop(deps, { restrictedKey: 'rk_test_key' });
    stripe.broken = true;
    const [eventId = ''] = await shop.receive(
      invoicePaid({
        click: await shop.click(),
        invoice: stripeId('in'),
        subscription: stripeId('sub'),
      }),
    );
    const [handle] = await worker.relay({ firstWaitMs: 50, attempts: 100 });
    await until(async () => (await rowOf(eventId))?.status === 'retrying');

    await handle?.signal('changed');
    stripe.broken = false;

    expect(await handle?.result()).toMatchObject({ status: 'processed' });
  });

  it('tries at once when an operator says so, and gives up when one does', async () => {
    const shop = await buildStripeShop(deps, { restrictedKey: 'rk_test_key' });
    const invoice = async () =>
      invoicePaid({
        click: await shop.click(),
        invoice: stripeId('in'),
        subscription: stripeId('sub'),
      });
    stripe.broken = true;
    const patience = { firstWaitMs: hour, attempts: 3 };
    const [retried = ''] = await shop.receive(await invoice());
    const [given = ''] = await shop.receive(await invoice());
    await worker.relay(patience);
    const isRetrying = async (id: string) => (await rowOf(id))?.status === 'retrying';
    await until(async () => (await isRetrying(retried)) && (await isRetrying(given)));
    stripe.broken = false;

    const args: { args: [OperatorNote] } = {
      args: [{ operator: 'op-17', reasonCode: 'SYSTEM_FAULT' }],
    };
    await worker.handle(retried).executeUpdate(retryEventUpdate, args);
    await worker.handle(given).executeUpdate(giveUpEventUpdate, args);
    expect(await worker.handle(retried).result()).toMatchObject({ status: 'processed' });
    expect(await worker.handle(given).result()).toMatchObject({ status: 'failed' });
    expect((await rowOf(given))?.error).toMatch(/Stripe did not answer/);
    await saveHistory(worker.handle(retried), 'process-stripe-event.operator-retries');
    await saveHistory(worker.handle(given), 'process-stripe-event.given-up');
    expect(
      await query(
        deps.db.manager,
        `SELECT action, operator FROM audit_log WHERE target_id = ANY($1) ORDER BY action`,
        [[retried, given]],
      ),
    ).toEqual([
      { action: 'stripe_event.given_up', operator: 'op-17' },
      { action: 'stripe_event.retried_now', operator: 'op-17' },
    ]);
  });

  it('leaves an event replayable when an operator cancels its workflow', async () => {
    const shop = await buildStripeShop(deps, { restrictedKey: 'rk_test_key' });
    stripe.broken = true;
    const [eventId = ''] = await shop.receive(
      invoicePaid({
        click: await shop.click(),
        invoice: stripeId('in'),
        subscription: stripeId('sub'),
      }),
    );
    const [handle] = await worker.relay({ firstWaitMs: 200, attempts: 100 });
    await until(async () => (await rowOf(eventId))?.status === 'retrying');

    await handle?.cancel();

    expect(await handle?.result()).toMatchObject({ status: 'failed' });
    await expect(replay(shop, eventId)).resolves.toBeUndefined();
  });
});
