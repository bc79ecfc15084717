import { indebtedIn } from '../../activities/payouts/payables';
import { queryOne, type Db } from '../../entities/database/sql';
import type { Scope } from '../../entities/rules/values/mode';

/** What waits for somebody of the workspace, by kind. */
export interface InboxCounts {
  applications: number;
  review: number;
  fraudFlags: number;
  deadLetters: number;
  stripeFailures: number;
  billerFailures: number;
  payoutsProcessing: number;
  payoutAttention: number;
  debts: number;
}

/** How many events of billers failed, or wait for more than a day. */
const failing = (which: string): string => `(SELECT count(*) FROM stripe_events AS s
  WHERE s.workspace_id = $1 AND s.mode = $2 AND ${which} AND (s.status = 'failed'
    OR (s.status = 'waiting' AND s.received_at < now() - interval '1 day')))::int`;

/** One look into an index for each kind; only what is open is counted, never what was. */
export async function countInbox(db: Db, { workspaceId, mode }: Scope): Promise<InboxCounts> {
  const counts = await queryOne<InboxCounts>(
    db,
    `WITH own AS MATERIALIZED (SELECT id FROM programs WHERE workspace_id = $1 AND mode = $2)
     SELECT
       (SELECT count(*) FROM participants AS p
         WHERE p.program_id IN (SELECT id FROM own) AND p.status = 'pending'
           AND p.erased_at IS NULL)::int AS applications,
       (SELECT count(*) FROM commissions AS c
         WHERE c.program_id IN (SELECT id FROM own) AND c.needs_review
           AND c.status = 'pending')::int AS review,
       (SELECT count(*) FROM fraud_flags AS f
         WHERE f.program_id IN (SELECT id FROM own) AND f.state = 'open'
           AND EXISTS (SELECT 1 FROM commissions AS c
                        WHERE c.conversion_id = f.conversion_id AND c.status = 'pending')
       )::int AS "fraudFlags",
       (SELECT count(*) FROM webhook_endpoints AS e
          JOIN webhook_deliveries AS d ON d.endpoint_id = e.id AND d.status = 'dead_letter'
         WHERE e.workspace_id = $1 AND e.mode = $2 AND e.deleted_at IS NULL)::int AS "deadLetters",
       ${failing("s.biller = 'stripe'")} AS "stripeFailures",
       ${failing("s.biller <> 'stripe'")} AS "billerFailures",
       (SELECT count(*) FROM payouts AS o
         WHERE o.workspace_id = $1 AND o.mode = $2 AND o.status = 'processing'
       )::int AS "payoutsProcessing",
       (SELECT count(*) FROM payout_items AS i
         WHERE i.workspace_id = $1 AND i.mode = $2 AND i.attention_reason IS NOT NULL
       )::int AS "payoutAttention",
       (SELECT count(DISTINCT participant_id)
          FROM (${indebtedIn('IN (SELECT id FROM own)')}) AS indebted)::int AS debts`,
    [workspaceId, mode],
  );
  if (!counts) throw new Error('a row of counts is always there');
  return counts;
}
