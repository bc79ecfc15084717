import { withClick } from 'affiliate-programme-client/stripe';
import Stripe from 'stripe';

/**
 * A Checkout Session that carries the click in its metadata. Nothing else is reported: Stripe tells of the sale, its
 * renewals and refunds by the webhook that the dashboard sets up (Developers, Stripe).
 */
export async function POST(request) {
  const { clickId } = await request.json();
  const origin = new URL(request.url).origin;
  const params = {
    mode: 'subscription',
    line_items: [
      {
        quantity: 1,
        price_data: {
          currency: 'usd',
          unit_amount: 2900,
          recurring: { interval: 'month' },
          product_data: { name: 'Coffee every month' },
        },
      },
    ],
    success_url: `${origin}/?thanks`,
  };
  const session = await stripe().checkout.sessions.create(withClick(params, clickId));
  return Response.json({ url: session.url });
}

function stripe() {
  const { STRIPE_SECRET_KEY, STRIPE_MOCK_PORT } = process.env;
  // Where no account is at hand, stripe-mock or another stand-in on this machine.
  const mock = { host: '127.0.0.1', port: Number(STRIPE_MOCK_PORT), protocol: 'http' };
  return new Stripe(STRIPE_SECRET_KEY, STRIPE_MOCK_PORT ? mock : {});
}
