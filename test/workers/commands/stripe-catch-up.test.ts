import { readFileSync } from 'node:fs';
import path from 'node:path';
import { createStripeActivities } from '../../../activities/billing/activities';
import { query, queryOne } from '../../../entities/database/sql';
import {
  asOwner,
  copyDatabase,
  createTestDatabase,
  type TestDatabase,
} from '../../support/database';
import { operatedDatabases, runBuiltCommand } from '../../support/stack/commands';
import { buildService } from '../../support/stack/service-process';
import { chargeRefunded, checkoutCompleted, stripeId } from '../../support/stripe/events';
import { buildStripeShop, conversionsOf, type ShopDeps } from '../../support/stripe/shop';
import { startStripeStandIn, type StripeStandIn } from '../../support/stripe/stand-in';

let stripe: StripeStandIn;
beforeAll(async () => {
  buildService();
  stripe = await startStripeStandIn();
}, 120_000);
afterAll(async () => {
  await stripe.close();
  await close();
});

const { environmentOf, open, close } = operatedDatabases(() => ({
  STRIPE_API_BASE: stripe.url,
}));

const catchUp = (database: TestDatabase, ...args: string[]) =>
  runBuiltCommand('stripe-catch-up', environmentOf(database), ...args);

/** What was sold and earned, without the ids that a second telling makes anew. */
async function toldOf({ db }: ShopDeps, scope: Parameters<typeof conversionsOf>[1]) {
  const rows = await conversionsOf(db.manager, scope);
  return rows.map((row) => ({
    ...row,
    id: undefined,
    commission: row.commission && { ...row.commission, id: undefined },
  }));
}

const lastSeq = ({ db }: ShopDeps) =>
  queryOne<{ seq: number }>(db.manager, 'SELECT max(seq) AS seq FROM events').then(
    (row) => row?.seq,
  );

describe('a restored database', () => {
  it('has what Stripe told since the backup after stripe:catch-up, and events that go on', async () => {
    const live = await createTestDatabase();
    const before = await open(live);
    const shop = await buildStripeShop(before, { restrictedKey: 'rk_test_key' });
    const [known, sold] = [await shop.click(), await shop.click()];
    const ofBackup = { click: known, paymentIntent: stripeId('pi') };
    await shop.send(checkoutCompleted(ofBackup));
    const backedUpAt = new Date();
    const backup = await copyDatabase(live);

    const [paymentIntent, charge] = [stripeId('pi'), stripeId('ch')];
    const since = [
      checkoutCompleted({ click: sold, paymentIntent }),
      chargeRefunded({ charge, paymentIntent, refunded: 5_000 }),
      chargeRefunded({ ...ofBackup, charge: stripeId('ch'), refunded: 1_000 }),
    ];
    await shop.send(...since);
    const ended = await toldOf(before, shop.scope);
    const seen = await lastSeq(before);
    stripe.events.push(...since.reverse());

    const restored = await open(backup);
    expect(await toldOf(restored, shop.scope)).not.toEqual(ended);
    await asOwner(backup.url, sequenceOfRunbook());
    const from = new Date(backedUpAt.getTime() - 5 * 60_000).toISOString();
    expect(await catchUp(backup, '--since', from)).toEqual({
      code: 0,
      out: `${shop.connectionId}  3 listed, 3 taken in\n`,
    });
    await processAll(restored);
    expect(await toldOf(restored, shop.scope)).toEqual(ended);
    expect(await catchUp(backup, '--since', from)).toMatchObject({
      out: expect.stringContaining('0 taken in'),
    });
    const first = await queryOne<{ seq: number }>(
      restored.db.manager,
      'SELECT min(seq) AS seq FROM events WHERE occurred_at > $1',
      [backedUpAt],
    );
    expect(first?.seq).toBeGreaterThan(seen ?? Infinity);
  });

  it('needs a time, and says how to name it', async () => {
    const database = await createTestDatabase();
    await open(database);
    expect(await catchUp(database, '--since', 'yesterday')).toMatchObject({
      code: 1,
      out: expect.stringContaining('--since 2026-01-31T09:30:00Z'),
    });
  });
});

/** The statement of the runbook. */
function sequenceOfRunbook(): string {
  const text = readFileSync(path.join(__dirname, '../../../docs/runbook-stripe.md'), 'utf8');
  const [, statement = ''] = /`(SELECT setval[^`]+)`/.exec(text) ?? [];
  return statement;
}

/** What the relay and the workflow do. */
async function processAll(deps: ShopDeps): Promise<void> {
  const activities = createStripeActivities(deps, { readGapMs: 0 });
  const rows = await query<{ ref: string }>(
    deps.db.manager,
    `DELETE FROM outbox WHERE topic = 'stripe_event' RETURNING ref::text AS ref, id`,
  );
  for (const { ref } of rows) await activities.attemptStripeEvent({ eventId: ref });
}
