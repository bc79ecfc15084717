import type { MigrationInterface, QueryRunner } from 'typeorm';
import { buildIndex, dropIndex } from '../database/build-index';

/** Participants of all programmes of a workspace are listed by their names. */
export class ParticipantsByName1700000000165 implements MigrationInterface {
  readonly transaction = false;

  up(runner: QueryRunner): Promise<void> {
    return buildIndex(
      runner,
      'ix_participants_by_name',
      'ON participants (workspace_id, mode, partner_name, id)',
    );
  }

  down(runner: QueryRunner): Promise<void> {
    return dropIndex(runner, 'ix_participants_by_name');
  }
}
