// What a merchant's project does with the installed package, under the Node that runs this: it is
// copied into that project. Answers one line of JSON.
import { once } from 'node:events';
import { createServer } from 'node:http';
import { createRequire } from 'node:module';
import path from 'node:path';
import { AffiliateClient, AffiliateError, signForTest } from 'affiliate-programme-client';
import { affiliateWebhook as forExpress } from 'affiliate-programme-client/express';
import { affiliateWebhook as forKoa } from 'affiliate-programme-client/koa';
import { useClickId } from 'affiliate-programme-client/react';
import express4 from 'express4';
import Koa from 'koa';
import bodyParser from 'koa-bodyparser';
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

/** A stranger, a ping, and an event, once the receiver knows the secret. */
async function receive(listener, useSecret) {
  const server = createServer(listener).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const url = `http://127.0.0.1:${server.address().port}/webhooks`;
  const { id, signingSecret } = await manager.webhooks.create({ url, events: ['*'] });
  useSecret(signingSecret);
  const unsigned = await fetch(url, { method: 'POST', body: '{}' });
  const { httpStatusCode } = await manager.webhooks.ping({ id, eventType: 'commission.approved' });
  const event = { type: 'commission.approved', data: { object: { status: 'approved' } } };
  const signed = signForTest({ secret: signingSecret, event });
  const { status } = await fetch(url, { method: 'POST', ...signed });
  server.closeAllConnections();
  server.close();
  return [unsigned.status, httpStatusCode, status];
}

function receiveBy(createApp, callback) {
  const secrets = [];
  const onEvent = ({ type }) => void booked.push(type);
  return receive(callback(createApp({ secrets, onEvent })), (secret) => secrets.push(secret));
}

/** An app with parsers that leave the body alone, or keep its bytes. */
const createExpress4 = ({ secrets, onEvent }) =>
  express4()
    .use(express4.urlencoded({ extended: true }))
    .post('/webhooks', forExpress({ secrets }, onEvent));
const createParsedKoa = ({ secrets, onEvent }) =>
  new Koa().use(bodyParser()).use(forKoa({ secrets }, onEvent));

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
  express4: await receiveBy(createExpress4, (app) => app),
  parsedKoa: await receiveBy(createParsedKoa, (app) => app.callback()),
  next: await receiveByNext(),
  booked,
  stripe: await checkout(),
  react: renderToString(createElement(Page)),
};
// Next.js prints lines of its own.
console.log(`\n${JSON.stringify(results)}`);
process.exit(0);
