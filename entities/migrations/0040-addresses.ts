import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * What hangs on an address belongs to who proves it: the address that a server gave, when it was
 * proved, and accounts that stand for an address until then. Beside it who made a key, and which of two
 * siblings of a refresh token ended.
 */
export class Addresses1700000000040 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE participants ADD COLUMN bound_email text;
      ALTER TABLE participants ADD COLUMN proven_at timestamptz;
      ALTER TABLE participants ADD COLUMN earlier jsonb;
      ALTER TABLE partner_accounts ADD COLUMN held_email text;
      ALTER TABLE partner_accounts ADD COLUMN held_workspace_id uuid;
      ALTER TABLE api_keys ADD COLUMN created_by uuid;
      ALTER TABLE sessions ADD COLUMN split_at timestamptz;
      ALTER TABLE refresh_tokens ADD COLUMN branch uuid;
      ALTER TABLE refresh_tokens ADD COLUMN ended_at timestamptz`);
    await runner.query(boundAddresses);
    await runner.query(makersOfKeys);
    await runner.query(strangersGetNoTestMails);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE participants DROP COLUMN bound_email, DROP COLUMN proven_at, DROP COLUMN earlier;
      ALTER TABLE partner_accounts DROP COLUMN held_email, DROP COLUMN held_workspace_id;
      ALTER TABLE api_keys DROP COLUMN created_by;
      ALTER TABLE sessions DROP COLUMN split_at;
      ALTER TABLE refresh_tokens DROP COLUMN branch, DROP COLUMN ended_at`);
  }
}

/**
 * Fills the address of participations that a server made before: the one that the mail went to,
 * while that is kept, else the one that is shown. They count as proved where their account
 * confirmed that address, and never moved since they were added, as far as can be told.
 */
const boundAddresses = `
  UPDATE participants AS p
     SET bound_email = coalesce(added.email, p.partner_email),
         proven_at = CASE
           WHEN a.password_hash IS NOT NULL AND a.email = coalesce(added.email, p.partner_email)
            AND (a.email_generation = 1 OR added.email IS NOT NULL
              OR a.email_verified_at <= p.created_at)
           THEN a.email_verified_at END
    FROM participants AS q
    JOIN partner_accounts AS a ON a.id = q.partner_id
    LEFT JOIN (SELECT params->>'participantId' AS id, min(recipient) AS email FROM mails
                WHERE type = 'partner.added' AND recipient <> 'erased@erased.invalid'
                GROUP BY 1) AS added ON added.id = q.id::text
   WHERE p.id = q.id AND q.erased_at IS NULL AND q.claimed_at IS DISTINCT FROM q.created_at`;

/** The first four of a workspace are of its first owner, made in the same moment. */
const makersOfKeys = `
  UPDATE api_keys AS k
     SET created_by = coalesce(
       (SELECT l.actor_id FROM audit_log AS l
         WHERE l.workspace_id = k.workspace_id AND l.created_at = k.created_at
           AND l.action = 'api_key.created' AND l.target_id = k.id::text AND l.actor_type = 'member'
         LIMIT 1),
       (SELECT a.id FROM merchant_accounts AS a
         WHERE a.workspace_id = k.workspace_id AND a.created_at = k.created_at
         ORDER BY a.id LIMIT 1))
   WHERE k.created_by IS NULL`;

/** Test mails go to a member's confirmed address only. */
const strangersGetNoTestMails = `
  UPDATE workspaces AS w SET test_email_redirect = NULL
   WHERE w.test_email_redirect IS NOT NULL AND NOT EXISTS (
     SELECT 1 FROM merchant_accounts AS a
      WHERE a.workspace_id = w.id AND a.email = w.test_email_redirect
        AND a.email_verified_at IS NOT NULL AND a.removed_at IS NULL)`;
