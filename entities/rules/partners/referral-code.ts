/** Promo codes and referral codes have one shape: 3 to 40 of A-Z a-z 0-9 - and _. */
export const codePattern = /^[A-Za-z0-9_-]{3,40}$/;

/** Whether a text can be a promo code, a referral code or a link token at all. */
export function isCodeShaped(text: string): boolean {
  return codePattern.test(text);
}

/** The form in which promo codes are stored, shown and compared. */
export function promoCodeKey(code: string): string {
  return code.toUpperCase();
}

/** The form in which referral codes and link tokens are compared; they are shown as they were typed. */
export function referralTokenKey(token: string): string {
  return token.toLowerCase();
}

/**
 * The keys of a token of an old link. Several may differ by case alone, so that its own key is its text
 * as it is, behind a line end that no other key has; the other is what they have in common.
 */
export function importedTokenKeys(token: string): { tokenKey: string; importedKey: string } {
  const importedKey = referralTokenKey(token);
  return { tokenKey: `${importedKey}\n${token}`, importedKey };
}
