/**
 * Whether the way to be paid that stands at the account `a` counts for the participant `p`. Whom a
 * server added says it to this programme by claiming the participation, and in live mode only an
 * address that is confirmed shows that the account is that person's: anybody may register with it.
 */
export const methodCounts = `p.claimed_at IS NOT NULL AND (p.mode = 'test'
  OR p.claimed_at = p.created_at OR a.email_verified_at IS NOT NULL)`;
