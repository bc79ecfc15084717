import type { ErrorCode } from '../errors';

/** Named constraints of the database that a client can run into, and the code that tells it. */
export const constraintCodes: Record<string, ErrorCode> = {
  uq_referral_token: 'REFERRAL_CODE_TAKEN',
  uq_promo_code: 'PROMO_CODE_TAKEN',
  uq_participant_partner: 'APPLICATION_DUPLICATE',
  uq_conversion_external_transaction: 'CONVERSION_DUPLICATE',
};
