import { release } from '../../runtime/observe/release';

const fence = '```';

/** Each block of TypeScript is a file that stands alone: the tests compile and run them. */
export function agentsGuide(url: string): string {
  return [head(url), sale(url), stripe, webhooks, management(url), rules].join('\n');
}

/** The line that installs the client of this service. */
export const installLine = (url: string): string =>
  `npm install ${url}/client/affiliate-programme-client-${release()}.tgz`;

const head = (url: string): string => `# Integrating the Affiliate Programme Service

\`${installLine(url)}\` is the typed client, which every service
gives out in its own version: a resource per group, a method per operation. For Python:
\`pip install ${url}/client/affiliate_programme_client-${release()}-py3-none-any.whl\`, the same in snake_case. The guide for people, with every framework, is
${url}/api/docs/integrate.md; what arrives by webhook ${url}/api/docs/webhooks.md; how everything works, part by part,
${url}/api/docs/reference.md.

## 1. The script, on every page

It reads \`?ref=\` and keeps the click's id. The **public** key is meant to be seen.

${fence}html
<script async src="${url}/v1/selgeo.js" data-merchant="pk_test_YOUR_KEY" data-keep></script>
${fence}

The checkout sends the click's id to your server: \`useClickId()\` of \`affiliate-programme-client/react\`, or
\`window.__selgeo?.getClickId()\`.
`;

const sale = (url: string): string => `## 2. The sale, from your server

With the **secret** key, after the payment. Refunds name the conversion that was answered.

${fence}ts
import { AffiliateClient } from 'affiliate-programme-client';

const client = new AffiliateClient({ apiKey: 'sk_test_YOUR_KEY', baseUrl: '${url}' });

interface Order {
  id: string;
  clickId: string | null;
  amountCents: number;
  customerId: string;
}

export async function reportSale(order: Order) {
  try {
    return await client.conversions.report({
      external_transaction_id: order.id, // counts once, for ever
      event_type: 'purchase',
      click_id: order.clickId, // and promo_code, where the buyer typed one
      amount_cents: order.amountCents,
      currency: 'usd',
      customer_id: order.customerId, // credits later payments
    });
  } catch (error) {
    if (!client.conversions.report.refused(error)) throw error;
    // Nobody sent this buyer, or the sale was reported before.
    if (error.code === 'NO_ATTRIBUTION_SIGNAL' || error.code === 'CONVERSION_DUPLICATE') return null;
    throw error;
  }
}

export function reportRefund(conversionId: string, refund: { id: string; amountCents: number }) {
  return client.conversions.refund({
    conversionId,
    external_refund_id: refund.id,
    amount_cents: refund.amountCents,
  });
}
${fence}
`;

const stripe = `## 3. Or Stripe, which reports by itself

With a connection to Stripe report nothing: the Checkout Session carries the click, and sales, renewals and refunds come from
Stripe.

${fence}ts
import type Stripe from 'stripe';
import { withClick } from 'affiliate-programme-client/stripe';

export function createCheckout(stripe: Stripe, price: string, clickId: string | null) {
  const params: Stripe.Checkout.SessionCreateParams = {
    mode: 'subscription',
    line_items: [{ price, quantity: 1 }],
    success_url: 'https://www.shop.example/thanks',
  };
  return stripe.checkout.sessions.create(withClick(params, clickId));
}
${fence}

The same of Paddle and Polar, by \`withClick(params, clickId, customerId)\` of \`/paddle\` and \`/polar\`: the click stands in Paddle's
\`custom_data\`, in Polar's \`metadata\`.
`;

const webhooks = `## 4. Webhooks

\`/express\`, \`/koa\` and \`/next\` read the raw body, verify the signature and answer; \`verifyWebhook({ body, headers, secrets })\` does
the checking elsewhere. Deliveries repeat: act once for each \`event.id\`.

${fence}ts
import express from 'express';
import { affiliateWebhook } from 'affiliate-programme-client/express';

export function createApp(secrets: string[]) {
  const app = express();
  const receive = affiliateWebhook({ secrets }, (event) => {
    // A test ping carries an example.
    if (event.isTest) return;
    if (event.type === 'commission.approved') console.log(event.id, event.data.object.amount_cents);
  });
  // Before express.json(): the signature is of the bytes as they came.
  app.post('/webhooks', receive);
  return app;
}
${fence}
`;

const management = (url: string): string => `## 5. Everything else, with a management key

What people do at the dashboard a **management** key does, within its role (viewer, member or admin) and its mode: an admin makes
one at the dashboard, under keys. It cannot sign in, invite members or make keys.

${fence}ts
import { AffiliateClient } from 'affiliate-programme-client';

const manager = new AffiliateClient({ apiKey: 'mk_test_YOUR_KEY', baseUrl: '${url}' });

/** A programme with its first partner, whose link is the shop's address with \`?ref=\` and the code. */
export async function setUp(name: string) {
  const { id: programId } = await manager.programmes.create({
    name,
    websiteUrl: 'https://www.shop.example',
    commission: { type: 'percentage', rateBps: 2_000 },
  });
  const email = 'anna@partner.example';
  const { referralCode } = await manager.partners.add({ programId, email, name: 'Anna Partner' });
  return { programId, referralCode };
}

/** The same refunds, sales and commissions as at the dashboard; a list is read page by page. */
export async function openCents(programId: string) {
  let cents = 0;
  for await (const row of manager.commissions.listOfProgram({ programId, status: 'pending' })) {
    cents += row.amountCents;
  }
  return cents;
}
${fence}
`;

const rules = `## Rules that are easily missed

- Match on \`code\` of an error, never on \`message\`. \`client.conversions.report.refused(error)\` gives \`code\` its type.
- The client repeats 408, 429, 500, 502, 503, 504 and network errors itself, with one Idempotency-Key over all tries, for some seconds. When a
  call throws all the same, the sale is not reported: keep the order (a job, a queue, a column) and report it again later. The same
  \`external_transaction_id\` counts once, so later is safe.
- A test ping looks like an event: leave out what books when \`event.isTest\`.
- Secret and management keys stay on the server. Test and live data never mix: a key's prefix decides (\`sk_test_\`, \`sk_live_\`).
- \`client.attribution.dryRun(...)\` says what a sale would become, and stores nothing; \`client.attribution.listDecisions()\` says why
  each sale was credited or not.
`;
