import { AffiliateClient } from 'affiliate-programme-client';

/**
 * On your server, once a payment is certain, whoever bills it. The same order again changes nothing, so
 * call it as often as you like; when it throws, call it again later.
 */
export async function reportSale({ apiUrl, secretKey }, order) {
  const { conversions } = new AffiliateClient({ apiKey: secretKey, baseUrl: apiUrl });
  try {
    return await conversions.report({
      external_transaction_id: order.id,
      event_type: 'purchase',
      click_id: order.clickId,
      promo_code: order.promoCode,
      amount_cents: order.amountCents,
      currency: order.currency,
      customer_id: order.customerId,
    });
  } catch (error) {
    // Nobody sent this buyer, or the order was reported before.
    if (['NO_ATTRIBUTION_SIGNAL', 'CONVERSION_DUPLICATE'].includes(error.code)) return null;
    throw error;
  }
}
