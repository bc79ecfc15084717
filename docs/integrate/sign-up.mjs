import { AffiliateClient } from 'affiliate-programme-client';

/**
 * On your server, when somebody signs up: from then on their sales need no more than `customer_id`, in
 * whatever browser they come back. The same sign-up again changes nothing.
 */
export async function reportSignUp({ apiUrl, secretKey }, user) {
  const { customers } = new AffiliateClient({ apiKey: secretKey, baseUrl: apiUrl });
  try {
    const customer = await customers.signUp({
      customer_id: user.id,
      click_id: user.clickId,
      promo_code: user.promoCode,
      // Ids that your biller knows them by, such as Stripe's cus_...
      aliases: user.billerIds,
    });
    return customer.attributed ? customer : null;
  } catch (error) {
    // Nobody sent this user.
    if (error.code === 'NO_ATTRIBUTION_SIGNAL') return null;
    throw error;
  }
}
