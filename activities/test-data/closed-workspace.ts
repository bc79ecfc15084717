import { erasedEmail, erasedMemberName } from '../../entities/rules/erasure/erasure';
import { closedName } from '../../entities/rules/workspace/closing';
import { enqueueSql } from '../journal/outbox';
import { deleting, plain, type ResetStep } from './tables';

/** Rows of the workspace's members, of a table that names their accounts. */
function ofMembers(table: string): ResetStep {
  const from = `merchant_accounts AS a JOIN ${table} AS t ON t.account_id = a.id
    WHERE a.workspace_id = :workspace`;
  return { name: `${table} of members`, statement: deleting(table, from) };
}

/** Rows of the workspace, or of its feed. */
function ofWorkspace(table: string, condition: string): ResetStep {
  const from = `${table} AS t WHERE ${condition}`;
  return { name: `${table} of the workspace`, statement: deleting(table, from) };
}

const isWorkspace = 'workspace_id = :workspace';
const isFeed = 'feed_id = :workspace';
/** What the log keeps: who asked for it, and when. */
const aboutClosing = `action IN ('workspace.closing', 'workspace.reopened', 'workspace.closed')`;

/** What a workspace that was closed has besides its data of both modes, after which nobody is left. */
export const closedSteps: readonly ResetStep[] = [
  {
    name: 'webhook endpoints',
    batch: 50,
    pick: `SELECT id FROM webhook_endpoints WHERE ${isWorkspace} LIMIT :limit FOR UPDATE`,
    rows: {
      table: 'webhook_endpoints',
      // The workflows of the endpoints read their rows once more, and end.
      first: enqueueSql({
        topic: 'webhook_retries',
        ref: 'id',
        workspaceId: 'workspace_id',
        availableAt: ':now',
        from: 'webhook_endpoints WHERE id = ANY (:ids::uuid[]) AND retries_wake_at IS NOT NULL',
      }),
    },
  },
  ofWorkspace('payout_connections', isWorkspace),
  {
    name: 'connections to Stripe',
    batch: 10,
    pick: `SELECT id FROM stripe_connections WHERE ${isWorkspace} LIMIT :limit FOR UPDATE`,
    rows: {
      table: 'stripe_connections',
      owns: [plain('stripe_events', 'connection_id'), plain('biller_discounts', 'connection_id')],
    },
  },
  {
    name: 'mails of invites to members',
    statement: deleting(
      'mails',
      `member_invites AS i JOIN mails AS t ON t.recipient = i.email
        WHERE i.workspace_id = :workspace AND t.type = 'member.invited'`,
    ),
  },
  ofWorkspace('member_invites', isWorkspace),
  ofWorkspace('mails', isWorkspace),
  ofMembers('mails'),
  ofMembers('mail_digests'),
  ofMembers('notification_preferences'),
  ofMembers('notification_reads'),
  ofMembers('notification_read_marks'),
  ofMembers('notification_unread'),
  ofWorkspace('notification_unread', isFeed),
  ofWorkspace('notification_totals', isFeed),
  ofWorkspace('notification_feeds', isFeed),
  ofMembers('stream_tickets'),
  ofMembers('email_tokens'),
  ofMembers('account_addresses'),
  ofMembers('two_factors'),
  // Their refresh tokens go with them.
  ofMembers('sessions'),
  ofWorkspace('outbox_dead', isWorkspace),
  {
    name: 'audit log',
    pick: `SELECT id FROM audit_log WHERE ${isWorkspace} AND NOT (${aboutClosing}) LIMIT :limit`,
    rows: { table: 'audit_log' },
  },
  {
    name: 'names of keys',
    statement: {
      table: 'api_keys',
      sql: `UPDATE api_keys SET name = NULL WHERE id IN (
        SELECT id FROM api_keys WHERE ${isWorkspace} AND name IS NOT NULL LIMIT :limit)`,
    },
  },
  {
    name: 'members',
    statement: {
      table: 'merchant_accounts',
      sql: `UPDATE merchant_accounts
          SET email = '${erasedEmail}', name = '${erasedMemberName}', password_hash = '!',
              email_verified_at = NULL
        WHERE id IN (SELECT id FROM merchant_accounts
          WHERE ${isWorkspace} AND removed_at IS NOT NULL AND email <> '${erasedEmail}'
          LIMIT :limit)`,
    },
  },
  {
    name: 'name of the workspace',
    statement: {
      table: 'workspaces',
      sql: `UPDATE workspaces SET name = '${closedName}', test_email_redirect = NULL
        WHERE id IN (SELECT id FROM workspaces
          WHERE id = :workspace AND (name <> '${closedName}' OR test_email_redirect IS NOT NULL)
          LIMIT :limit)`,
    },
  },
];
