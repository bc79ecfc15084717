import type { MigrationInterface, QueryRunner } from 'typeorm';
import { buildIndex, dropIndex } from '../database/build-index';
import { driverCode } from '../database/errors';

/** The class of operators is not there, because pg_trgm is not. */
const undefinedObject = '42704';
const trigrams = 'USING gin (external_transaction_id gin_trgm_ops)';

/**
 * Transactions are searched where they never change. A commission changes with each decision, and an
 * index of trigrams then writes every one of them again. A release that searches commissions still
 * finds the same, by reading them.
 */
export class SearchOfConversions1700000000026 implements MigrationInterface {
  readonly transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    await withTrigrams(() =>
      buildIndex(runner, 'ix_conversions_transaction', `ON conversions ${trigrams}`),
    );
    await dropIndex(runner, 'ix_commissions_transaction');
  }

  async down(runner: QueryRunner): Promise<void> {
    await withTrigrams(() =>
      buildIndex(runner, 'ix_commissions_transaction', `ON commissions ${trigrams}`),
    );
    await dropIndex(runner, 'ix_conversions_transaction');
  }
}

/** Where the server has none, a search reads the rows. */
async function withTrigrams(build: () => Promise<void>): Promise<void> {
  try {
    await build();
  } catch (error) {
    if (driverCode(error) !== undefinedObject) throw error;
  }
}
