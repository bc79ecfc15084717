// app/webhooks/route.js
import { affiliateWebhook } from 'affiliate-programme-client/next';
import { book } from '../../lib/book';

const secrets = process.env.AFFILIATE_WEBHOOK_SECRET ?? '';

export const POST = affiliateWebhook({ secrets }, async (event) => {
  // A delivery may come twice: act once for each event.id. A test ping carries an example.
  if (event.isTest) return;
  if (event.type === 'commission.approved') await book(event.id, event.data.object);
});
