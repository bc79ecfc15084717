import { query } from '../../../entities/database/sql';
import { codeOf } from '../../support/api-client';
import { until } from '../../support/eventually';
import { startPayPalStandIn, type PayPalStandIn } from '../../support/paypal/stand-in';
import {
  advance,
  buildPayPalShop,
  compareBooks,
  later,
  statusesOf,
} from '../../support/paypal/shop';
import { openErasureStage, type ErasureStage } from '../../support/workers/erasure-stage';

let app: ErasureStage;
let paypal: PayPalStandIn;
const minute = 60_000;

beforeAll(async () => {
  paypal = await startPayPalStandIn(() => app.deps.clock.now());
  app = await openErasureStage({ PAYPAL_API_BASE: paypal.url });
}, 60_000);
afterAll(async () => {
  await app.close();
  await paypal.close();
});

describe('a partner of whom a payment is on its way', () => {
  it('is erased once that it ended; what comes later is booked, and names nobody', async () => {
    const shop = await buildPayPalShop(app);
    const payout = await shop.payout();
    const reference = payout.items[0]?.reference ?? '';
    expect((await shop.send(payout)).status).toBe(202);
    await advance(app, payout);
    const [partner] = shop.partners;
    const path = `/api/v1/programs/${shop.programId}/partners/${partner?.id}/erase`;
    const erase = async () => (await shop.api()).post(path, { confirmation: 'DELETE' });
    expect(codeOf(await erase())).toEqual([409, 'ERASURE_BLOCKED_PAYOUT']);

    paypal.books.say(reference, 'SUCCESS');
    await later(app, payout, 2 * minute);
    expect((await erase()).status).toBe(200);
    const item = async () => {
      const [row] = await query<{ text: string; providerItemId: string | null }>(
        app.deps.db.manager,
        `SELECT to_jsonb(i)::text AS text, provider_item_id AS "providerItemId"
           FROM payout_items AS i WHERE i.payout_id = $1`,
        [payout.id],
      );
      return row;
    };
    await until(async () => (await item())?.providerItemId === null);
    paypal.books.say(reference, 'RETURNED');
    await later(app, payout, 60 * minute);

    expect(await statusesOf(shop, payout)).toEqual(['returned']);
    const row = await item();
    const [own] = paypal.books.itemsOf(reference);
    expect(row?.text).not.toContain(own?.itemId);
    expect(row?.text).not.toContain('partner.test');
    expect(await compareBooks(app, paypal)).toEqual([]);
  });
});
