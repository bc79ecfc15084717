import { withClick } from 'affiliate-programme-client/paddle';

/** On your server: a transaction that carries the click to us, and your own id of the customer. */
export function createTransaction(paddle, { priceId, clickId, userId }) {
  const params = { items: [{ priceId, quantity: 1 }] };
  return paddle.transactions.create(withClick(params, clickId, userId));
}
