import type { MigrationInterface, QueryRunner } from 'typeorm';
import { buildIndex, dropIndex } from '../database/build-index';

/** Tokens of old links, whatever their case: several may differ in that alone. */
export class ImportedTokensAreFound1700000000102 implements MigrationInterface {
  readonly transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    await buildIndex(
      runner,
      'ix_referral_tokens_imported',
      'ON referral_tokens (workspace_id, mode, imported_key) WHERE imported_key IS NOT NULL',
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await dropIndex(runner, 'ix_referral_tokens_imported');
  }
}
