import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Who has opened what a server made for their address before addresses had to be proved, and never
 * confirmed that, is asked to, once: until then none of it is paid.
 */
export class AskForProofs1700000000042 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      WITH asked AS (
        INSERT INTO mails (id, type, side, account_id, created_at)
        SELECT gen_random_uuid(), 'account.verify_email', 'partner', a.id, now()
          FROM partner_accounts AS a
         WHERE a.erased_at IS NULL AND a.password_hash IS NOT NULL AND a.held_email IS NULL
           AND EXISTS (SELECT 1 FROM participants AS p
             WHERE p.partner_id = a.id AND p.bound_email = a.email AND p.proven_at IS NULL
               AND p.mode = 'live' AND p.claimed_at IS NOT NULL AND p.erased_at IS NULL)
        RETURNING id)
      INSERT INTO outbox (topic, ref, payload, workspace_id, available_at)
      SELECT 'mail', id, '{"type": "account.verify_email"}'::jsonb,
             'ffffffff-ffff-ffff-ffff-ffffffffffff', now() FROM asked`);
  }

  /** A mail is not taken back. */
  down(): Promise<void> {
    return Promise.resolve();
  }
}
