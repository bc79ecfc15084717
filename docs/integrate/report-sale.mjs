/**
 * On your server, once a payment is certain, whoever bills it. The same order again changes nothing, so
 * call it as often as you like; when it throws, call it again later.
 */
export async function reportSale({ apiUrl, secretKey }, order) {
  const response = await fetch(`${apiUrl}/api/v1/conversions`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', Authorization: `Bearer ${secretKey}` },
    body: JSON.stringify({
      external_transaction_id: order.id,
      event_type: 'purchase',
      click_id: order.clickId,
      promo_code: order.promoCode,
      amount_cents: order.amountCents,
      currency: order.currency,
      customer_id: order.customerId,
    }),
  });
  const answer = await response.json();
  // Nobody sent this buyer, or the order was reported before.
  const isDone = ['NO_ATTRIBUTION_SIGNAL', 'CONVERSION_DUPLICATE'].includes(answer.code);
  if (!response.ok && !isDone) throw new Error(`the sale is not reported: ${answer.message}`);
  return response.ok ? answer : null;
}
