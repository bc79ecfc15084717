import { insertAll } from '../../entities/database/insert-all';
import { query, type Db, type Tx } from '../../entities/database/sql';
import { OutboxRow } from '../../entities/tables/journal/outbox-row.entity';

/**
 * Work that must follow a commit; each topic has its handler in workers/relay/handlers.ts. Work on
 * events stands for all of its commit: the ids beside `ref` are `payload.others`.
 */
export const outboxTopics = [
  'event_deliveries',
  // Receivers of webhooks wait for no notice.
  'event_notices',
  'commission',
  'mail',
  // Mails of which there may be one a sale: apart from those that somebody waits for.
  'notice_mail',
  'feed',
  'stripe_event',
  'stripe_payment',
  // Further payments of a customer whose credit changes, and what a rejection asks anew.
  'credit',
  'webhook_retries',
  'webhook_requeue',
  'unsubscribed_kinds',
  'terms_changed',
  'terms_edited',
  'workspace_closing',
  // A partner whose figure may have reached a step.
  'standing',
  // A promo code that is made, or switched off, where people pay.
  'biller_code',
  'payout_batch',
  'test_reset',
  'import',
] as const;
export type OutboxTopic = (typeof outboxTopics)[number];

/** What an event leads to. */
export const eventTopics = ['event_deliveries', 'event_notices'] as const satisfies OutboxTopic[];

/** The workspace of what belongs to none; it has its share of each claim like any other. */
export const noWorkspace = 'ffffffff-ffff-ffff-ffff-ffffffffffff';

export interface OutboxItem {
  topic: OutboxTopic;
  /** Id of the row that the work is about. */
  ref: string;
  /** The workspace that the work is for: the relay takes some of each workspace's. */
  workspaceId?: string | null | undefined;
  /** Ids, enums and numbers only. */
  payload?: Record<string, unknown>;
  /** The request that it follows. */
  requestId?: string | null | undefined;
  availableAt: Date;
}

/** Adds work in the transaction of its cause; the relay finds it within milliseconds. */
export async function enqueue(tx: Tx, item: OutboxItem): Promise<void> {
  await enqueueAll(tx, [item]);
}

/** The same for many items, in their order. */
export async function enqueueAll(tx: Tx, items: readonly OutboxItem[]): Promise<void> {
  await insertAll(tx, { into: OutboxRow, rows: items.map(rowOf) });
}

function rowOf({ topic, ref, payload = {}, ...item }: OutboxItem): Partial<OutboxRow> {
  const named = (item.workspaceId ?? payload['workspaceId'] ?? noWorkspace) as string;
  const { availableAt, requestId = null } = item;
  return { topic, ref, payload, workspaceId: named, availableAt, requestId };
}

/** Work as expressions of SQL, each of them over the rows of `from`. */
export interface WorkSql {
  /** A topic, or the column that holds it. */
  topic: OutboxTopic | { column: string };
  ref: string;
  payload?: string;
  /** Null counts as no workspace. */
  workspaceId: string;
  availableAt: string;
  requestId?: string;
  /** What follows FROM; without it there is one row. */
  from?: string;
}

/** The insert as text, for statements that find the rows by themselves or write others beside. */
export function enqueueSql(work: WorkSql): string {
  const { topic, ref, payload = `'{}'::jsonb`, workspaceId, availableAt, from } = work;
  const { requestId = 'NULL' } = work;
  const named = typeof topic === 'string' ? `'${topic}'` : topic.column;
  return `INSERT INTO outbox (topic, ref, payload, workspace_id, available_at, request_id)
    SELECT ${named}, ${ref}, ${payload}, coalesce(${workspaceId}, '${noWorkspace}'), ${availableAt},
      ${requestId}
    ${from === undefined ? '' : `FROM ${from}`}`;
}

/** A condition for `from` that leaves out what has work of the topic waiting already. */
export function isNotQueued(topic: OutboxTopic, ref: string): string {
  return `NOT EXISTS (SELECT 1 FROM outbox AS o WHERE o.topic = '${topic}' AND o.ref = ${ref})`;
}

/** The refs, of at most some hundred, that have work of the topic waiting already. */
export async function queuedAmong(
  db: Db,
  topic: OutboxTopic,
  refs: readonly string[],
): Promise<ReadonlySet<string>> {
  if (refs.length === 0) return new Set();
  const rows = await query<{ ref: string }>(
    db,
    'SELECT ref FROM outbox WHERE topic = $1 AND ref = ANY($2)',
    [topic, refs],
  );
  return new Set(rows.map(({ ref }) => ref));
}
