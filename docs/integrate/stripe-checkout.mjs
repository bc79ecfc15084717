import { withClick } from 'affiliate-programme-client/stripe';

/** On your server: a Checkout Session that carries the click to us, renewals included. */
export function createCheckout(stripe, { priceId, clickId, successUrl }) {
  const params = {
    mode: 'subscription',
    line_items: [{ price: priceId, quantity: 1 }],
    success_url: successUrl,
  };
  return stripe.checkout.sessions.create(withClick(params, clickId));
}
