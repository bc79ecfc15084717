import { withClick } from 'affiliate-programme-client/polar';

/** On your server: a checkout that carries the click to us, and your own id of the customer. */
export function createCheckout(polar, { productId, clickId, userId }) {
  const params = { products: [productId], success_url: 'https://shop.example.com/thanks' };
  return polar.checkouts.create(withClick(params, clickId, userId));
}
