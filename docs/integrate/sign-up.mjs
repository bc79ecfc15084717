/**
 * On your server, when somebody signs up: from then on their sales need no more than `customer_id`, in
 * whatever browser they come back. The same sign-up again changes nothing.
 */
export async function reportSignUp({ apiUrl, secretKey }, user) {
  const response = await fetch(`${apiUrl}/api/v1/customers`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', Authorization: `Bearer ${secretKey}` },
    body: JSON.stringify({
      customer_id: user.id,
      click_id: user.clickId,
      promo_code: user.promoCode,
      // Ids that your biller knows them by, such as Stripe's cus_...
      aliases: user.billerIds,
    }),
  });
  const answer = await response.json();
  // Nobody sent this user.
  if (answer.code === 'NO_ATTRIBUTION_SIGNAL') return null;
  if (!response.ok) throw new Error(`the sign-up is not reported: ${answer.message}`);
  return answer.attributed ? answer : null;
}
