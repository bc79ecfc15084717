import type { MigrationInterface, QueryRunner } from 'typeorm';
import { buildIndex, dropIndex } from '../database/build-index';

/** All clicks of a participant, those of dropped months too, are a look-up in the sums by month. */
export class ClicksOfParticipants1700000000035 implements MigrationInterface {
  readonly transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    await buildIndex(
      runner,
      'ix_analytics_rollups_participant',
      'ON analytics_rollups (participant_id, measure) INCLUDE (value) WHERE minutes = 43200',
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await dropIndex(runner, 'ix_analytics_rollups_participant');
  }
}
