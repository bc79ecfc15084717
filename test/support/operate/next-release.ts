import type { MigrationInterface, QueryRunner } from 'typeorm';
import { buildIndex, dropIndex } from '../../../entities/database/build-index';

/**
 * A column of the table that every sale writes, under the lock that traffic has to make room for. A release that does not
 * name the column leaves it to its default, one that does writes null: each row tells who wrote it.
 */
class ColumnOfTheNext1700000000911 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(
      `ALTER TABLE commissions ADD COLUMN written_by text DEFAULT 'the former release'`,
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE commissions DROP COLUMN written_by');
  }
}

/** An index on it, built while sales go on. */
class IndexOfTheNext1700000000912 implements MigrationInterface {
  readonly transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    await buildIndex(runner, 'ix_commissions_written_by', 'ON commissions (written_by, id)');
  }

  async down(runner: QueryRunner): Promise<void> {
    await dropIndex(runner, 'ix_commissions_written_by');
  }
}

/** What the upgrade suite has the coming release bring, so that its schema always differs from the last one's. */
export const nextMigrations = [ColumnOfTheNext1700000000911, IndexOfTheNext1700000000912];
