import { execute, query, transaction, type Tx } from '../../entities/database/sql';
import { eventWithoutPerson, headOfEvent } from '../../entities/rules/erasure/stripe-event';
import type { Vault } from '../../runtime/crypto/vault';
import { note, openBox, type ScanCursor, type ScanDeps, type ScanPlace } from './scan-place';

interface RawEvent {
  id: string;
  receivedAt: Date;
  body: string;
  /** Of a payment that was credited to the partner: what it says of money is in other tables. */
  isSpent: boolean;
}

const eventsAtOnce = 300;

/**
 * Raw events of Stripe's, whatever became of them: what may be processed again keeps its money. They
 * are read without locks, which would hold up those that are processed; those that name the
 * person are locked and read again.
 */
export async function scanStripeEvents(
  { db, vault }: ScanDeps,
  place: ScanPlace,
  { before, beforeId }: ScanCursor,
): Promise<Omit<ScanCursor, 'table'> | null> {
  const { workspaceId, mode } = place.participation;
  return transaction(db, async (tx) => {
    const events = await query<RawEvent>(
      tx,
      `SELECT ${rawColumns} FROM stripe_events AS e
        WHERE e.workspace_id = $2 AND e.mode = $3 AND e.received_at >= $6::timestamptz
          AND ($4::timestamptz IS NULL OR (e.received_at, e.id) < ($4, $5::uuid))
        ORDER BY e.received_at DESC, e.id DESC LIMIT ${eventsAtOnce}`,
      [place.participantIds, workspaceId, mode, before, beforeId, place.since ?? '-infinity'],
    );
    const found = events.map((event) => ({ event, clean: cleanedBox(vault, event, place) }));
    const unreadable = found.filter(({ clean }) => clean === 'unreadable').length;
    const hits = found.filter(({ clean }) => clean !== undefined && clean !== 'unreadable');
    const rows = await cleanHits(
      { tx, vault, place },
      hits.map(({ event }) => event.id),
    );
    await note(tx, place, { table: 'stripe_events', rows, unreadable });
    const last = events.at(-1);
    if (!last || events.length < eventsAtOnce) return null;
    return { before: last.receivedAt.toISOString(), beforeId: last.id };
  });
}

/** What a page and the rows that it locks are read by; `$1`: the participations. */
const rawColumns = `e.id, e.received_at AS "receivedAt", e.body,
  e.status = 'processed' AND EXISTS (SELECT 1 FROM stripe_payments AS p
    JOIN conversions AS v ON v.id = p.conversion_id
   WHERE p.id = e.payment_id AND v.participant_id = ANY($1)) AS "isSpent"`;

/** Rows that name the person, locked now and read again: they may have changed since. */
async function cleanHits(
  { tx, vault, place }: { tx: Tx; vault: Vault; place: ScanPlace },
  ids: readonly string[],
): Promise<number> {
  if (ids.length === 0) return 0;
  const events = await query<RawEvent>(
    tx,
    `SELECT ${rawColumns} FROM stripe_events AS e WHERE e.id = ANY($2) ORDER BY e.id FOR UPDATE OF e`,
    [place.participantIds, ids],
  );
  let rows = 0;
  for (const event of events) {
    const clean = cleanedBox(vault, event, place);
    if (clean === undefined || clean === 'unreadable') continue;
    const sealed = vault.encrypt(clean, ['stripe_events.body', event.id]);
    rows += await execute(tx, 'UPDATE stripe_events SET body = $2 WHERE id = $1', [
      event.id,
      sealed,
    ]);
  }
  return rows;
}

/** As `cleaned`, of what is stored. */
function cleanedBox(
  vault: Vault,
  { id, body, isSpent }: RawEvent,
  { identifying }: ScanPlace,
): string | undefined {
  const text = openBox(vault, body, ['stripe_events.body', id]);
  return text === undefined ? 'unreadable' : cleaned(text, isSpent, identifying);
}

/** The event without the person, of a spent one its head only; undefined when it may stay. */
function cleaned(
  text: string,
  isSpent: boolean,
  identifying: readonly string[],
): string | undefined {
  const event = JSON.parse(text) as Record<string, unknown>;
  const before = JSON.stringify(event);
  const after = JSON.stringify(
    isSpent ? headOfEvent(event) : eventWithoutPerson(event, identifying),
  );
  return after === before ? undefined : after;
}
