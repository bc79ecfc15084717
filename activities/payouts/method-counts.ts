/**
 * Whether the way to be paid that stands at the account `a` counts for the participant `p`. Whom a
 * server added says it to this programme by claiming the participation, and in live mode only once
 * the account has proved the address that the server gave: anybody may register with it.
 */
export const methodCounts = `p.claimed_at IS NOT NULL AND (p.mode = 'test'
  OR p.claimed_at = p.created_at OR p.proven_at IS NOT NULL)`;
