import type { MigrationInterface, QueryRunner } from 'typeorm';
import { buildIndex, dropIndex } from '../database/build-index';

const promoCodes = 'ix_promo_codes_shape';
const referralCodes = 'ix_referral_tokens_shape';

/** Codes of a programme that are easily taken for one another are found. */
export class SimilarCodesAreFound1700000000181 implements MigrationInterface {
  readonly transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    await buildIndex(runner, promoCodes, 'ON promo_codes (program_id, code_shape(code))');
    await buildIndex(
      runner,
      referralCodes,
      "ON referral_tokens (program_id, code_shape(token)) WHERE kind <> 'link'",
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await dropIndex(runner, referralCodes);
    await dropIndex(runner, promoCodes);
  }
}
