import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Work that died again is counted in one row, and work that was put off waits longer each time. */
export class RepeatedWork1700000000030 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE outbox ADD COLUMN put_offs int NOT NULL DEFAULT 0;
      ALTER TABLE outbox_dead ADD COLUMN times int NOT NULL DEFAULT 1;
      ALTER TABLE outbox_dead ADD COLUMN first_died_at timestamptz;
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE outbox_dead DROP COLUMN times, DROP COLUMN first_died_at;
      ALTER TABLE outbox DROP COLUMN put_offs;
    `);
  }
}
