import { createStripeActivities } from '../../../../activities/billing/activities';
import { query } from '../../../../entities/database/sql';
import { useDeps } from '../../../support/app';
import { invoicePaid, stripeId } from '../../../support/stripe/events';
import { buildStripeShop, type StripeShop } from '../../../support/stripe/shop';

const deps = useDeps();

const received = async (shop: StripeShop): Promise<string> => {
  const click = await shop.click(new Date(Date.now() - 3_600_000));
  const [id = ''] = await shop.receive(invoicePaid({ click, subscription: stripeId('sub') }));
  return id;
};

const noticesOf = ({ scope }: StripeShop) =>
  query<{ type: string; mode: string; eventId: string; body: string }>(
    deps.db.manager,
    `SELECT type, mode, data->>'stripeEventId' AS "eventId", body FROM notifications
      WHERE feed_id = $1 ORDER BY seq`,
    [scope.workspaceId],
  );

describe('an event that is given up', () => {
  it('is notified of once in a row of failures, and again after a success', async () => {
    const shop = await buildStripeShop(deps);
    const { giveUpStripeEvent } = createStripeActivities(deps);
    const fail = async (): Promise<string> => {
      const eventId = await received(shop);
      await giveUpStripeEvent({ eventId });
      return eventId;
    };

    const first = await fail();
    await giveUpStripeEvent({ eventId: first });
    await fail();
    const notices = await noticesOf(shop);
    expect(notices).toEqual([
      {
        type: 'stripe.events_failing',
        mode: 'test',
        eventId: first,
        body: expect.stringContaining('It could not be processed.'),
      },
    ]);

    await shop.process(await received(shop));
    expect(await shop.statuses()).toEqual(['failed', 'failed', 'processed']);
    const next = await fail();
    expect((await noticesOf(shop)).map(({ eventId }) => eventId)).toEqual([first, next]);
  });

  it('wakes the streams', async () => {
    const shop = await buildStripeShop(deps);
    const { giveUpStripeEvent } = createStripeActivities(deps);
    await giveUpStripeEvent({ eventId: await received(shop) });
    const wakes = await query(
      deps.db.manager,
      `SELECT 1 FROM outbox WHERE topic = 'feed' AND ref = $1`,
      [shop.scope.workspaceId],
    );
    expect(wakes).toHaveLength(1);
  });
});
