import { execute, type Tx } from '../../entities/database/sql';

/**
 * Work that must follow a commit; each topic has its handler in workers/relay-handlers.ts. Work on
 * `events` stands for all of its commit: the ids beside `ref` are `payload.others`.
 */
export const outboxTopics = [
  'event',
  // Apart from `event`, because a relay from before it would carry on the first of them only.
  'events',
  'commission',
  'mail',
  'feed',
  'stripe_event',
  'stripe_payment',
  'webhook_retries',
  'webhook_requeue',
  'test_reset',
] as const;
export type OutboxTopic = (typeof outboxTopics)[number];

/** Stands for the workspace of what belongs to none, and has its share of each claim like any other. */
export const noWorkspace = 'ffffffff-ffff-ffff-ffff-ffffffffffff';

export interface OutboxItem {
  topic: OutboxTopic;
  /** Id of the row that the work is about. */
  ref: string;
  /** Whose work it is: the relay takes some of each workspace's in turn. */
  workspaceId?: string | null | undefined;
  /** Ids, enums and numbers only. */
  payload?: Record<string, unknown>;
  availableAt: Date;
}

/** Adds work in the transaction of its cause; the relay finds it within milliseconds. */
export async function enqueue(tx: Tx, item: OutboxItem): Promise<void> {
  const { topic, ref, payload = {}, availableAt } = item;
  const workspaceId = item.workspaceId ?? payload['workspaceId'] ?? noWorkspace;
  await execute(
    tx,
    `INSERT INTO outbox (topic, ref, payload, workspace_id, available_at)
     VALUES ($1, $2, $3, $4, $5)`,
    [topic, ref, JSON.stringify(payload), workspaceId, availableAt],
  );
}

/** The insert as text, for statements that write an outbox row beside others (WITH ... INSERT). */
export function enqueueSql(columns: {
  topic: string;
  ref: string;
  workspaceId?: string;
  availableAt: string;
}): string {
  return `INSERT INTO outbox (topic, ref, workspace_id, available_at)
    SELECT ${columns.topic}, ${columns.ref}, ${columns.workspaceId ?? `'${noWorkspace}'::uuid`},
      ${columns.availableAt}`;
}
