import type { MigrationInterface, QueryRunner } from 'typeorm';
import { buildIndex, dropIndex } from '../../../entities/database/build-index';

/** One that needs a lock for a moment. */
class LaterTable1700000000901 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE later (id int);
      LOCK TABLE webhook_deliveries IN ACCESS EXCLUSIVE MODE`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE later');
  }
}

/** One that builds an index beside traffic. */
class IndexLater1700000000902 implements MigrationInterface {
  readonly transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    await buildIndex(runner, 'ix_deliveries_later', 'ON webhook_deliveries (last_attempt_at)');
  }

  async down(runner: QueryRunner): Promise<void> {
    await dropIndex(runner, 'ix_deliveries_later');
  }
}

/** Migrations as later releases have them, after the ones that there are. */
export const laterMigrations = [LaterTable1700000000901, IndexLater1700000000902];
