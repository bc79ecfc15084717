import type { MigrationInterface, QueryRunner } from 'typeorm';
import { buildIndex, dropIndex } from '../database/build-index';

const name = 'ix_notifications_admins';

/** Notices that only admins see stand in no counter: they are counted by themselves. */
export class NoticesForAdmins1700000000080 implements MigrationInterface {
  readonly transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    await buildIndex(
      runner,
      name,
      `ON notifications (feed_id, mode, category, seq)
        WHERE dismissed_at IS NULL AND audience = 'admins'`,
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await dropIndex(runner, name);
  }
}
