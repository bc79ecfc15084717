import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Nothing counts raw clicks of a link any more. */
export class ClicksByLink1700000000036 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query('DROP INDEX ix_clicks_link');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('CREATE INDEX ix_clicks_link ON clicks (link_id)');
  }
}
