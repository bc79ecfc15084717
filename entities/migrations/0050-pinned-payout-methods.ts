import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * How an item pays is kept with the item, and what is ready today keeps what pays it today. Besides,
 * when an item ceased to be ready, what reports have told of it, and when its partner missed it; and
 * which adjustments write a debt off.
 */
export class PinnedPayoutMethods1700000000050 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE payout_items
        ADD COLUMN method_encrypted text,
        ADD COLUMN method_account_id uuid,
        ADD COLUMN reports text[] NOT NULL DEFAULT '{}',
        ADD COLUMN settled_at timestamptz,
        ADD COLUMN not_received_at timestamptz`);
    await runner.query('ALTER TABLE commissions ADD COLUMN adjustment_kind text');
    await runner.query(`
      UPDATE payout_items AS i
         SET method_encrypted = a.payout_method_encrypted, method_account_id = a.id,
             method_type = a.payout_method_type, method_label = a.payout_method_label
        FROM participants AS p JOIN partner_accounts AS a ON a.id = p.partner_id
       WHERE i.status = 'ready' AND p.id = i.participant_id AND a.erased_at IS NULL
         AND a.payout_method_encrypted IS NOT NULL AND p.claimed_at IS NOT NULL
         AND (p.mode = 'test' OR p.claimed_at = p.created_at OR a.email_verified_at IS NOT NULL)`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE payout_items DROP COLUMN method_encrypted, DROP COLUMN method_account_id,
        DROP COLUMN reports, DROP COLUMN settled_at, DROP COLUMN not_received_at`);
    await runner.query('ALTER TABLE commissions DROP COLUMN adjustment_kind');
  }
}
