import type { MigrationInterface, QueryRunner } from 'typeorm';
import { buildIndex, dropIndex } from '../database/build-index';

/**
 * The relay finds work that waits for a time of its own by indexes that hold nothing else: rows that are
 * due since their commit enter none of them, and neither a lease nor its renewal touches them.
 */
const isDelayed = `available_at - created_at > '5 seconds'::interval`;

export class DelayedWork1700000000033 implements MigrationInterface {
  readonly transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    await buildIndex(
      runner,
      'ix_outbox_delayed_due',
      `ON outbox (topic, available_at) WHERE ${isDelayed}`,
    );
    await buildIndex(
      runner,
      'ix_outbox_delayed_workspace',
      `ON outbox (topic, workspace_id, available_at) WHERE ${isDelayed}`,
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await dropIndex(runner, 'ix_outbox_delayed_workspace');
    await dropIndex(runner, 'ix_outbox_delayed_due');
  }
}
