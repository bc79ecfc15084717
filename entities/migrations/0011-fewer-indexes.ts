import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * A conversion writes some ten rows, and each index of theirs is written with them. Gone are those
 * that nothing reads, and second ones for the same way in: history and ledger are only ever read by
 * their commission.
 */
export class FewerIndexes1700000000011 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      DROP INDEX ix_events_object, ix_conversion_aliases_conversion;

      ALTER TABLE commission_history DROP CONSTRAINT commission_history_pkey;
      ALTER TABLE commission_history ADD CONSTRAINT pk_commission_history
        PRIMARY KEY (commission_id, id);
      DROP INDEX ix_commission_history;

      ALTER TABLE ledger_entries DROP CONSTRAINT ledger_entries_pkey;
      ALTER TABLE ledger_entries ADD CONSTRAINT pk_ledger_entries PRIMARY KEY (commission_id, id);
      DROP INDEX ix_ledger_commission;
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE INDEX ix_events_object ON events (object_id);
      CREATE INDEX ix_conversion_aliases_conversion ON conversion_aliases (conversion_id);

      ALTER TABLE commission_history DROP CONSTRAINT pk_commission_history;
      ALTER TABLE commission_history ADD CONSTRAINT commission_history_pkey PRIMARY KEY (id);
      CREATE INDEX ix_commission_history ON commission_history (commission_id, at, id);

      ALTER TABLE ledger_entries DROP CONSTRAINT pk_ledger_entries;
      ALTER TABLE ledger_entries ADD CONSTRAINT ledger_entries_pkey PRIMARY KEY (id);
      CREATE INDEX ix_ledger_commission ON ledger_entries (commission_id, created_at, id);
    `);
  }
}
