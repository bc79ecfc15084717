import type { ErrorCode } from '../errors';

/** The constraints of the database that a client can run into, by name, and the code that reports each. */
export const constraintCodes: Record<string, ErrorCode> = {
  uq_referral_token: 'REFERRAL_CODE_TAKEN',
  uq_promo_code: 'PROMO_CODE_TAKEN',
  uq_import_open: 'IMPORT_OPEN',
  uq_test_data_reset_open: 'RESET_IN_PROGRESS',
  uq_participant_partner: 'APPLICATION_DUPLICATE',
  uq_conversion_external_transaction: 'CONVERSION_DUPLICATE',
  // What a command had found was deleted by a reset of test data before it could add to it.
  participants_program_id_fkey: 'PROGRAM_NOT_FOUND',
  partner_invites_program_id_fkey: 'PROGRAM_NOT_FOUND',
  payouts_program_id_fkey: 'PROGRAM_NOT_FOUND',
  payout_items_participant_id_fkey: 'PARTICIPANT_NOT_FOUND',
  tracking_links_participant_id_fkey: 'PARTICIPANT_NOT_FOUND',
  referral_tokens_participant_id_fkey: 'PARTICIPANT_NOT_FOUND',
  promo_codes_participant_id_fkey: 'PARTICIPANT_NOT_FOUND',
};
