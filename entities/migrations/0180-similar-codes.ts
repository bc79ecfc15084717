import type { MigrationInterface, QueryRunner } from 'typeorm';

const shape = `translate(replace(replace(upper(code), 'RN', 'M'), 'VV', 'W'), 'OILZSB-_', '011258')`;

/** What a reader takes a code for: no case, no - or _, and one sign for those that look alike. Codes are ASCII. */
export class SimilarCodes1700000000180 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(
      `CREATE FUNCTION code_shape(code text) RETURNS text
       LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$ SELECT ${shape} $$`,
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP FUNCTION code_shape(text)');
  }
}
