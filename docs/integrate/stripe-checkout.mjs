/** On your server: a Checkout Session that carries the click to us, renewals included. */
export function createCheckout(stripe, { priceId, clickId, successUrl }) {
  const metadata = clickId ? { aff_click_id: clickId } : {};
  return stripe.checkout.sessions.create({
    mode: 'subscription',
    line_items: [{ price: priceId, quantity: 1 }],
    success_url: successUrl,
    metadata,
    subscription_data: { metadata },
  });
}
