import { execute } from '../../../entities/database/sql';
import { newId } from '../../../entities/ids';
import type { FurtherBiller } from '../../../entities/rules/billing/biller';
import { useApp } from '../../support/app';
import {
  paddleAdjustment,
  paddleId,
  paddleSubscription,
  paddleTransaction,
} from '../../support/billers/paddle';
import { polarOrderEvent, polarRefund } from '../../support/billers/polar';
import { buildBillerShop, type BillerShop, type BillerTestEvent } from '../../support/billers/shop';
import { buildMember, signIn } from '../../support/build/accounts';
import { checkoutCompleted } from '../../support/stripe/events';
import { buildStripeShop, conversionsOf } from '../../support/stripe/shop';
import { findTraces, readTables } from '../../support/stored/traces';

const app = useApp();

/** All that a biller tells of a buyer, with their name wherever one may stand. */
const stories: Record<FurtherBiller, (click: string, token: string) => BillerTestEvent[]> = {
  paddle(click, token) {
    const [id, subscription] = [paddleId('txn'), paddleId('sub')];
    const written = { note: `For ${token}`, city: token };
    const sold = paddleTransaction({ id, click, customerId: `user-${token}`, subscription });
    const back = paddleAdjustment({ transaction: id });
    const begun = paddleSubscription({ id: subscription, transaction: id });
    return [
      { ...sold, data: { ...sold.data, custom_data: { ...sold.data.custom_data, ...written } } },
      { ...back, data: { ...back.data, reason: `${token} did not like it` } },
      { ...begun, data: { ...begun.data, custom_data: written } },
    ];
  },
  polar(click, token) {
    const id = newId();
    const email = `${token}@example.test`;
    const sold = polarOrderEvent({ id, click, externalId: `user-${token}`, email });
    const data = sold.data as { metadata: object; customer: object };
    const buyer = {
      ...{ name: token, billing_name: token, tax_id: [token, 'eu_vat'] },
      avatar_url: `https://www.gravatar.com/avatar/${token}?d=404`,
      metadata: { note: token },
      billing_address: { line1: `${token} Street 1`, city: token, country: 'DE' },
    };
    const back = polarRefund(id);
    return [
      {
        ...sold,
        data: {
          ...data,
          metadata: { ...data.metadata, note: `For ${token}` },
          custom_field_data: { nickname: token },
          billing_name: token,
          billing_address: buyer.billing_address,
          customer: { ...data.customer, ...buyer },
        },
      },
      { ...back, data: { ...back.data, comment: `${token} asked`, metadata: { by: token } } },
    ];
  },
};

async function eraser({ scope: { workspaceId } }: Pick<BillerShop, 'scope'>) {
  const admin = await buildMember(app.deps.db.manager, { workspaceId, role: 'admin' });
  const merchant = app.client.as((await signIn(app.deps, admin)).accessToken, 'test');
  return (body: object) => merchant.post('/api/v1/gdpr/customer-erasure', body);
}

const traces = async (token: string) => findTraces(await readTables(app.deps), [token]);

describe.each(['paddle', 'polar'] as const)('the erasure of a buyer at %s', (biller) => {
  it.each(['processed', 'waiting'])('takes what raw events tell, %s ones too', async (status) => {
    const shop = await buildBillerShop(app.deps, biller);
    const token = `zqbuyer${newId().slice(-8)}`;
    await shop.send(...stories[biller](await shop.click(), token));
    const db = app.deps.db.manager;
    const before = await conversionsOf(db, shop.scope);
    const set = 'UPDATE stripe_events SET status = $2 WHERE connection_id = $1';
    await execute(db, set, [shop.connectionId, status]);
    expect(await traces(token)).not.toEqual([]);

    const erase = await eraser(shop);
    const erased = await erase({ customerId: `user-${token}` });
    expect([erased.status, erased.body['conversions']]).toEqual([200, 1]);
    expect(await traces(token)).toEqual([]);
    expect(await conversionsOf(db, shop.scope)).toEqual(before);
  });
});

it('finds by the address what Polar told of orders that no partner brought', async () => {
  const shop = await buildBillerShop(app.deps, 'polar');
  const token = `zqbuyer${newId().slice(-8)}`;
  const [sold] = stories.polar('', token);
  const data = sold?.data as { customer: object };
  // An id is no address: whoever asks by the address alone need not have it.
  const customer = { ...data.customer, external_id: 'user-of-nobody' };
  if (sold) await shop.send({ ...sold, data: { ...data, customer } });
  expect(await shop.statuses()).toEqual(['ignored']);
  const erase = await eraser(shop);
  expect((await erase({ email: `${token}@example.test` })).status).toBe(200);
  expect(await traces(token)).toEqual([]);
});

it('takes the id of a customer of Stripe from events that are about them', async () => {
  const shop = await buildStripeShop(app.deps);
  const token = `zqbuyer${newId().slice(-8)}`;
  const customer = `cus_${token}`;
  const told = checkoutCompleted({ click: await shop.click(), customer });
  const about = { ...told, id: `evt_${token.slice(-8)}`, type: 'customer.updated' };
  await shop.send(told, {
    ...about,
    data: { object: { id: customer, object: 'customer', email: `${token}@example.test` } },
  } as unknown as typeof told);
  expect(await shop.statuses()).toEqual(['processed', 'ignored']);
  const erase = await eraser(shop);
  expect((await erase({ customerId: customer })).status).toBe(200);
  expect(await traces(token)).toEqual([]);
});
