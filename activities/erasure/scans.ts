import { concernsPerson, namesPerson, scrub } from '../../entities/rules/erasure/identity';
import { execute, query, transaction, type Tx } from '../../entities/database/sql';
import type { Erasure } from '../../entities/tables/erasure/erasure.entity';
import type { BoxPlace, Vault } from '../runtime/crypto/vault';
import type { Deps } from '../runtime/process/deps';
import { countChange } from './receipts';
import type { Participation } from './subject';

/** A workspace's texts in one mode, and what of them stands for the person. */
export interface ScanPlace {
  erasure: Erasure;
  participation: Participation;
  identifying: readonly string[];
}

/** Times and ids only: it is in the history of the workflow. */
export interface ScanCursor {
  table: 'webhook_deliveries' | 'idempotency_keys' | 'stripe_events';
  /** Rows up to this moment are left; they are read backwards. */
  before: string | null;
  beforeId: string | null;
}

type ScanDeps = Pick<Deps, 'db' | 'vault'>;
type Scan = (
  deps: ScanDeps,
  place: ScanPlace,
  cursor: ScanCursor,
) => Promise<Omit<ScanCursor, 'table'> | null>;

const order = ['webhook_deliveries', 'idempotency_keys', 'stripe_events'] as const;
const dayMs = 86_400_000;
const eventsAtOnce = 300;

/** Reads a workspace's free texts page by page; null when all of them were read. */
export async function scanWorkspace(
  deps: ScanDeps,
  place: ScanPlace,
  { from, until }: { from: ScanCursor | null; until: () => boolean },
): Promise<ScanCursor | null> {
  let cursor: ScanCursor | null = from ?? { table: order[0], before: null, beforeId: null };
  while (cursor) {
    const { table }: ScanCursor = cursor;
    const next = await scans[table](deps, place, cursor);
    cursor = next ? { table, ...next } : startAfter(table);
    if (until()) return cursor;
  }
  return null;
}

function startAfter(table: ScanCursor['table']): ScanCursor | null {
  const following = order[order.indexOf(table) + 1];
  return following ? { table: following, before: null, beforeId: null } : null;
}

const scans: Record<ScanCursor['table'], Scan> = {
  webhook_deliveries: scanAnswers,
  idempotency_keys: scanStoredAnswers,
  stripe_events: scanRawEvents,
};

/** What receivers answered, a day of the workspace at a time. */
async function scanAnswers(
  { db }: ScanDeps,
  place: ScanPlace,
  { before }: ScanCursor,
): Promise<Omit<ScanCursor, 'table'> | null> {
  const { workspaceId, mode } = place.participation;
  if (place.identifying.length === 0) return null;
  const [span] = await query<{ ids: string[] | null; first: Date | null; last: Date | null }>(
    db.manager,
    `SELECT array_agg(e.id) AS ids, min(d.first) AS first, max(d.last) AS last
       FROM webhook_endpoints AS e
      CROSS JOIN LATERAL (SELECT min(created_at) AS first, max(created_at) AS last
                            FROM webhook_deliveries WHERE endpoint_id = e.id) AS d
      WHERE e.workspace_id = $1 AND e.mode = $2`,
    [workspaceId, mode],
  );
  if (!span?.first || !span.last) return null;

  const to = before === null ? new Date(span.last.getTime() + 1) : new Date(before);
  const since = new Date(to.getTime() - dayMs);
  const pattern = place.identifying.map(escapePattern).join('|');
  await transaction(db, async (tx) => {
    const rows = await execute(
      tx,
      `UPDATE webhook_deliveries SET response_body = NULL
        WHERE id IN (SELECT id FROM webhook_deliveries
          WHERE endpoint_id = ANY($1) AND created_at >= $2 AND created_at < $3
            AND response_body ~* $4 ORDER BY id FOR UPDATE)`,
      [span.ids, since, to, `(^|[^[:alnum:]])(${pattern})([^[:alnum:]]|$)`],
    );
    await note(tx, place, { table: 'webhook_deliveries', rows });
  });
  return since <= span.first ? null : { before: since.toISOString(), beforeId: null };
}

function escapePattern(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&');
}

interface StoredAnswer {
  principalId: string;
  path: string;
  key: string;
  answer: string;
}

/**
 * Answers to the members' requests of the last day: a retry still finds its answer, without the
 * person. Those of conversions, by far the most, hold no name.
 */
async function scanStoredAnswers({ db, vault }: ScanDeps, place: ScanPlace): Promise<null> {
  const { id: participantId, workspaceId, mode } = place.participation;
  const person = { participantId, identifying: place.identifying };
  await transaction(db, async (tx) => {
    const stored = await query<StoredAnswer>(
      tx,
      `SELECT principal_id AS "principalId", path, key, answer FROM idempotency_keys
        WHERE workspace_id = $1 AND mode = $2 AND answer IS NOT NULL
          AND path NOT LIKE '/api/v1/conversions%'
        ORDER BY principal_id, path, key FOR UPDATE`,
      [workspaceId, mode],
    );
    let rows = 0;
    let unreadable = 0;
    for (const { principalId, path, key, answer } of stored) {
      const row = [principalId, mode, path, key] as const;
      const text = openBox(vault, answer, ['idempotency_keys.answer', ...row]);
      if (text === undefined) unreadable += 1;
      if (text === undefined || !concernsPerson(text, person)) continue;
      const clean = JSON.stringify(scrub(JSON.parse(text), person));
      if (clean === text) continue;
      rows += await execute(
        tx,
        `UPDATE idempotency_keys SET answer = $5
          WHERE principal_id = $1 AND mode = $2 AND path = $3 AND key = $4`,
        [...row, vault.encrypt(clean, ['idempotency_keys.answer', ...row])],
      );
    }
    await note(tx, place, { table: 'idempotency_keys', rows, unreadable });
  });
  return null;
}

interface RawEvent {
  id: string;
  receivedAt: Date;
  body: string;
  isOfParticipant: boolean;
}

/**
 * Raw events of Stripe's that are done with: those of payments that were credited to the partner,
 * and those that name the person. What they say of money is in other tables.
 */
async function scanRawEvents(
  { db, vault }: ScanDeps,
  place: ScanPlace,
  { before, beforeId }: ScanCursor,
): Promise<Omit<ScanCursor, 'table'> | null> {
  const { id: participantId, workspaceId, mode } = place.participation;
  return transaction(db, async (tx) => {
    const events = await query<RawEvent>(
      tx,
      `SELECT e.id, e.received_at AS "receivedAt", e.body,
              EXISTS (SELECT 1 FROM stripe_payments AS p
                JOIN conversions AS v ON v.id = p.conversion_id
               WHERE p.id = e.payment_id AND v.participant_id = $3) AS "isOfParticipant"
         FROM stripe_events AS e
        WHERE e.workspace_id = $1 AND e.mode = $2
          AND e.status IN ('processed', 'ignored', 'failed')
          AND ($4::timestamptz IS NULL OR (e.received_at, e.id) < ($4, $5::uuid))
        ORDER BY e.received_at DESC, e.id DESC LIMIT ${eventsAtOnce} FOR UPDATE OF e`,
      [workspaceId, mode, participantId, before, beforeId],
    );
    let rows = 0;
    let unreadable = 0;
    for (const { id, body, isOfParticipant } of events) {
      const text = openBox(vault, body, ['stripe_events.body', id]);
      if (text === undefined) unreadable += 1;
      const clean = text && withoutPerson(text, isOfParticipant, place.identifying);
      if (!clean) continue;
      rows += await execute(tx, 'UPDATE stripe_events SET body = $2 WHERE id = $1', [
        id,
        vault.encrypt(clean, ['stripe_events.body', id]),
      ]);
    }
    await note(tx, place, { table: 'stripe_events', rows, unreadable });
    const last = events.at(-1);
    if (!last || events.length < eventsAtOnce) return null;
    return { before: last.receivedAt.toISOString(), beforeId: last.id };
  });
}

/** The event's head, so that a replay reads it and finds nothing; undefined when it may stay. */
function withoutPerson(
  text: string,
  isOfParticipant: boolean,
  identifying: readonly string[],
): string | undefined {
  if (!isOfParticipant && !namesPerson(text, identifying)) return undefined;
  const { id, object, type, api_version, created, livemode, erased } = JSON.parse(text) as Record<
    string,
    unknown
  >;
  if (erased === true) return undefined;
  return JSON.stringify({ id, object, type, api_version, created, livemode, erased: true });
}

/** Undefined when its key is gone or it belongs to another place: the rest is cleaned all the same. */
function openBox(vault: Vault, box: string, place: BoxPlace): string | undefined {
  try {
    return vault.decrypt(box, place);
  } catch {
    return undefined;
  }
}

/** Adds to the receipt what was cleaned, and what could not be read. */
async function note(
  tx: Tx,
  { erasure, participation }: ScanPlace,
  { table, rows, unreadable = 0 }: { table: string; rows: number; unreadable?: number },
): Promise<void> {
  const part = { erasureId: erasure.id, participantId: participation.id };
  await countChange(tx, part, { table, rows });
  await countChange(tx, part, { table: `${table} (unreadable)`, rows: unreadable });
}
