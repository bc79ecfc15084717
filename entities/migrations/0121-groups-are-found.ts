import type { MigrationInterface, QueryRunner } from 'typeorm';
import { buildIndex, dropIndex } from '../database/build-index';

/** Who is in a group: the default one of a programme has its id. */
export class GroupsAreFound1700000000121 implements MigrationInterface {
  readonly transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    await buildIndex(
      runner,
      'ix_participants_group',
      'ON participants ((coalesce(group_id, program_id)), created_at, id)',
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await dropIndex(runner, 'ix_participants_group');
  }
}
