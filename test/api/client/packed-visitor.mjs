// What a merchant's project does with the installed package, under the Node that runs this: it is
// copied into that project. Answers one line of JSON.
import { once } from 'node:events';
import { createServer } from 'node:http';
import { createRequire } from 'node:module';
import path from 'node:path';
import { AffiliateClient, AffiliateError } from 'affiliate-programme-client';
import { useClickId } from 'affiliate-programme-client/react';
import next from 'next';
import { createElement } from 'react';
import { renderToString } from 'react-dom/server';
import Stripe from 'stripe';
import { createApp as createExpress } from './examples/express-webhook.mjs';
import { createApp as createKoa } from './examples/koa-webhook.mjs';
import { createCheckout } from './examples/stripe-checkout.mjs';

const { apiUrl: baseUrl, secretKey, managementKey, promoCode } = JSON.parse(process.argv[2]);
const client = new AffiliateClient({ apiKey: secretKey, baseUrl });
const manager = new AffiliateClient({ apiKey: managementKey, baseUrl });
const booked = (globalThis.booked = []);

const commonJs = createRequire(import.meta.url);
for (const name of ['', '/react', '/next', '/express', '/koa', '/stripe']) {
  commonJs(`affiliate-programme-client${name}`);
}

async function sell() {
  const sale = {
    external_transaction_id: process.version,
    event_type: 'purchase',
    promo_code: promoCode,
    amount_cents: 4_900,
    currency: 'usd',
  };
  const { attributed } = await client.conversions.report(sale);
  const again = await client.conversions.report(sale).catch((error) => error);
  const ids = [];
  for await (const row of client.conversions.list({ limit: 1 })) {
    ids.push(row.external_transaction_id);
  }
  const isListed = ids.includes(process.version);
  return { attributed, again: again instanceof AffiliateError && again.code, isListed };
}

/** Pings before and after the receiver knows the secret. */
async function receive(listener, useSecret) {
  const server = createServer(listener).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const url = `http://127.0.0.1:${server.address().port}/webhooks`;
  const { id, signingSecret } = await manager.webhooks.create({ url, events: ['*'] });
  useSecret(signingSecret);
  const unsigned = await fetch(url, { method: 'POST', body: '{}' });
  const { httpStatusCode } = await manager.webhooks.ping({ id, eventType: 'commission.approved' });
  server.closeAllConnections();
  server.close();
  return [unsigned.status, httpStatusCode];
}

function receiveBy(createApp, callback) {
  const secrets = [];
  const onEvent = ({ type }) => void booked.push(type);
  return receive(callback(createApp({ secrets, onEvent })), (secret) => secrets.push(secret));
}

async function receiveByNext() {
  const site = next({ dev: true, dir: path.join(import.meta.dirname, 'site') });
  await site.prepare();
  const answers = await receive(site.getRequestHandler(), (secret) => {
    process.env.AFFILIATE_WEBHOOK_SECRET = secret;
  });
  await site.close();
  return answers;
}

async function checkout() {
  let sent;
  const httpClient = Stripe.createFetchHttpClient((_url, options) => {
    sent = new URLSearchParams(String(options.body));
    return Promise.resolve(Response.json({ id: 'cs_test_1', object: 'checkout.session' }));
  });
  const order = { priceId: 'price_1', clickId: 'c-1', successUrl: 'https://shop.example' };
  await createCheckout(new Stripe('sk_test_x', { httpClient }), order);
  return sent.get('subscription_data[metadata][aff_click_id]');
}

const Page = () => createElement('p', null, useClickId() ?? 'none');
const results = {
  node: process.versions.node.split('.')[0],
  sale: await sell(),
  express: await receiveBy(createExpress, (app) => app),
  koa: await receiveBy(createKoa, (app) => app.callback()),
  next: await receiveByNext(),
  booked,
  stripe: await checkout(),
  react: renderToString(createElement(Page)),
};
// Next.js prints lines of its own.
console.log(`\n${JSON.stringify(results)}`);
process.exit(0);
