import { randomUUID } from 'node:crypto';
import { AffiliateClient } from 'affiliate-programme-client';
import express from 'express';
import { page } from './page.mjs';

const { AFFILIATE_API_URL, AFFILIATE_PUBLIC_KEY, AFFILIATE_SECRET_KEY, PORT } = process.env;
const affiliates = new AffiliateClient({
  apiKey: AFFILIATE_SECRET_KEY,
  baseUrl: AFFILIATE_API_URL,
});

/** Subscriptions of this shop, whose biller is the shop itself. */
const subscriptions = new Map();

/**
 * Each payment is reported once it is certain, under an id that is the payment's for ever. The first one carries
 * the click; later ones carry the customer alone, whom the first one bound to the partner.
 */
async function reportPayment({ id, customerId, clickId = null, amountCents }) {
  try {
    const sale = await affiliates.conversions.report({
      external_transaction_id: id,
      event_type: 'subscription',
      click_id: clickId,
      customer_id: customerId,
      amount_cents: amountCents,
      currency: 'usd',
    });
    return { credited: sale.attributed, conversionId: sale.id };
  } catch (error) {
    // Nobody sent this buyer, or the payment was reported before.
    if (['NO_ATTRIBUTION_SIGNAL', 'CONVERSION_DUPLICATE'].includes(error.code)) {
      return { credited: false, conversionId: null };
    }
    throw error;
  }
}

const app = express();
app.use(express.urlencoded());

app.get('/', (request, response) => {
  response.send(page({ apiUrl: AFFILIATE_API_URL, publicKey: AFFILIATE_PUBLIC_KEY }));
});

app.post('/orders', async (request, response) => {
  const customerId = `customer-${randomUUID()}`;
  const { credited, conversionId } = await reportPayment({
    id: `${customerId}-1`,
    customerId,
    clickId: request.body.click_id || null,
    amountCents: 2900,
  });
  subscriptions.set(customerId, { payments: 1, first: conversionId });
  response.send(`${credited ? 'Thank you. A partner is credited.' : 'Thank you.'}
    <form action="/renew/${customerId}" method="post"><button>A month later</button></form>
    <form action="/refund/${customerId}" method="post"><button>Money back</button></form>`);
});

/** What your biller does every month. */
app.post('/renew/:customerId', async (request, response) => {
  const { customerId } = request.params;
  const subscription = subscriptions.get(customerId);
  if (!subscription) return response.sendStatus(404);
  subscription.payments += 1;
  const id = `${customerId}-${subscription.payments}`;
  const { credited } = await reportPayment({ id, customerId, amountCents: 2900 });
  response.send(credited ? 'Renewed. The same partner is credited.' : 'Renewed.');
});

/** The whole of the first payment. Under the same id of the refund it is given back once. */
app.post('/refund/:customerId', async (request, response) => {
  const { customerId } = request.params;
  const conversionId = subscriptions.get(customerId)?.first;
  if (!conversionId) return response.sendStatus(404);
  await affiliates.conversions.refund({
    conversionId,
    external_refund_id: `refund-${customerId}`,
  });
  response.send('Refunded. The commission is taken back.');
});

app.listen(Number(PORT), '127.0.0.1');
